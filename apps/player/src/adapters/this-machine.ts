import { randomUUID } from 'node:crypto'
import { networkInterfaces, uptime } from 'node:os'
import type { Board } from '../ports/board.ts'
import type { Clock } from '../ports/clock.ts'
import type { Wifi } from '../ports/wifi.ts'
import { createSyncEvidence } from './clock-sync.ts'
import { createMachineClock } from './machine-clock.ts'
import { createNmcliWifi } from './nmcli-wifi.ts'
import { createRunCommand } from './run-command.ts'
import { createSoundOutputs } from './sound-outputs.ts'
import { openTree } from './sysfs/tree.ts'
import { createSysfsBoard } from './sysfs-board.ts'
import { createSystemWallClock, type WallClockParts } from './system-wall-clock.ts'

export type MachineOptions = {
  /** Root of the tree the kernel is read from. */
  root: string
  searchPath: string
  trustHostClock: boolean
  clock: Clock
} & Pick<WallClockParts, 'memory' | 'log'>

/** Board, Wi-Fi, clock and sound outputs of the machine the service runs on. */
export async function openThisMachine({
  root,
  searchPath,
  trustHostClock,
  ...rest
}: MachineOptions) {
  const run = createRunCommand(searchPath)
  const board: Board = createSysfsBoard(root, run)
  const wifi: Wifi = createNmcliWifi({ run, root, interfaces: networkInterfaces })
  const wall = createSystemWallClock({
    ...rest,
    uptime,
    // A system that does not count its boots: a time that was set then lasts as long as the service.
    bootId: (await openTree('/').read('proc/sys/kernel/random/boot_id')) ?? randomUUID(),
    readRtc: async () => (await board.rtc())?.epoch_s,
    writeRtc: board.writeRtc,
    setSystemClock: root === '/' ? createMachineClock(openTree(root), run) : leaveAlone,
    evidence: createSyncEvidence(root, run),
    vouchedFor: trustHostClock,
  })
  return { board, wifi, wall, outputs: createSoundOutputs(root, run) }
}

/** Files that pretend to be a board must not move the clock of a real machine. */
async function leaveAlone() {
  throw new Error('the board is simulated, so the machine keeps its own time')
}
