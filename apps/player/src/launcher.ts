import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { claimDataDir } from '@manara/kit/data-dir'
import { LEAN } from '@manara/kit/lean'
import type { Slot } from '@manara/player-contract/firmware'
import { z } from 'zod'
import { environmentOf, readConfig } from './config.ts'
import { bootOnce, giveWay } from './features/ota/boot-once.ts'
import { fallenBack, provenOf } from './features/ota/domain/boot-plan.ts'
import { entryOf } from './features/ota/entry-of.ts'
import { damageOf, mendSlot } from './features/ota/mend-slot.ts'
import { openSlots } from './features/ota/slots.ts'

/**
 * What the system starts on a device. It lives with the version the box was set up with, and no
 * update replaces it: it chooses the version, counts the tries of a new one, and goes back.
 */
const FACTORY = fileURLToPath(new URL('../../../', import.meta.url))
// A small board with a slow card takes its time; a version that takes longer hangs.
const READY_MS = 120_000
const PROVEN_MS = 120_000
/** What a version says when it answers; anything else may be of one that is newer, or broken. */
const Up = z.object({ banner: z.array(z.string()) })

// What is no message at all is thrown where nobody can catch it, and without the launcher nobody goes
// back. That nobody reads what it tells any more would be told to nobody, again and again.
process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') tell(error.message)
})

try {
  await launch()
} catch (error) {
  tell((error as Error).message)
  process.exit(1)
}

function tell(problem: string) {
  process.stderr.write(`launcher: ${problem}\n`)
}

async function launch() {
  const config = readConfig()
  // A full or read-only disk starts what it started before: only an update needs to be written down.
  const { problem } = claimDataDir(config.updatesDir, 'PLAYER_UPDATES', { mayBeFull: true })
  if (problem) tell(problem)
  const slots = openSlots(config.updatesDir, FACTORY)
  try {
    // Before the start: an update that was cut off may be what has filled the disk.
    slots.clearLeftovers()
  } catch (error) {
    tell((error as Error).message)
  }
  const storeFile = path.join(config.dataDir, 'player.db')
  let running: ChildProcess | undefined
  let isStopping = false
  /** Damaged for good, also where that cannot be written down. */
  const givenUp = new Set<Slot>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      isStopping = true
      running?.kill('SIGTERM')
    })
  }

  const { active } = slots.readRecord()
  if (!slots.isWhole(active)) await isMended(active)
  for (;;) {
    const slot = choose()
    const isOnTrial = slots.readRecord().pending?.slot === slot
    running = start(slot)
    const { code, wasUp } = await ended(running, isOnTrial ? stillOnTrial : undefined)
    if (isStopping) process.exit(code)
    // A trial that failed, or asked for by the version itself; anything else is for the system, unless
    // it comes of files that the disk has spoilt: an empty one ends at once and without a word.
    const isToGoOn = (isOnTrial && stillOnTrial()) || (code === 0 && wasUp)
    if (!isToGoOn && !(await isMended(slot))) process.exit(code || 1)
    if (isStopping) process.exit(0)
  }

  function choose(): Slot {
    try {
      return bootOnce(slots, storeFile, isUsable)
    } catch (error) {
      // A full or broken disk.
      tell((error as Error).message)
      return chooseProven(error)
    }
  }

  function chooseProven(problem: unknown): Slot {
    try {
      return giveWay(slots, storeFile, problem, isUsable)
    } catch (error) {
      tell((error as Error).message)
      return provenOf(slots.readRecord(), isUsable)
    }
  }

  function isUsable(slot: Slot): boolean {
    return slots.isWhole(slot) && !givenUp.has(slot)
  }

  /** Whether it is worth another start: what is damaged is unpacked anew, or else given up. */
  async function isMended(slot: Slot): Promise<boolean> {
    if (slot === 'factory' || givenUp.has(slot)) return false
    const damaged = await damageOf(slots, slot)
    if (!damaged) return false
    tell(`${slot} is damaged on the disk: unpacking ${damaged.version} anew`)
    try {
      await mendSlot(slots, slot, damaged)
    } catch (error) {
      const { message } = error as Error
      tell(`${slot} cannot be mended: ${message}`)
      giveUp(slot, damaged.version, message)
    }
    return true
  }

  function giveUp(slot: Slot, version: string, why: string) {
    givenUp.add(slot)
    try {
      slots.writeRecord(fallenBack(slots.readRecord(), version, why))
    } catch (error) {
      tell((error as Error).message)
    }
  }

  function stillOnTrial(): boolean {
    return slots.readRecord().pending !== null
  }

  function start(slot: Slot): ChildProcess {
    const folder = slots.dir(slot)
    process.stdout.write(`launcher: starting ${slot}\n`)
    return spawn(nodeOf(folder), [...LEAN.flags, entryOf(folder)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: environmentOf({ ...LEAN.env, PLAYER_SLOT: slot }),
    })
  }

  /** Resolves with its exit code, and whether it had come up. A version on trial that hangs is ended. */
  function ended(child: ChildProcess, isOnTrial?: () => boolean): Promise<Ended> {
    const { promise, resolve } = Promise.withResolvers<Ended>()
    let wasUp = false
    let timer = isOnTrial && setTimeout(() => child.kill('SIGKILL'), READY_MS)
    child.on('message', (message: unknown) => {
      const { data } = Up.safeParse(message)
      // Said again it would put off the verdict.
      if (!data || wasUp) return
      process.stdout.write(`${data.banner.join('\n')}\n`)
      wasUp = true
      if (!isOnTrial) return
      clearTimeout(timer)
      const give = config.confirmAfterS * 1000 + PROVEN_MS
      timer = setTimeout(() => isOnTrial() && child.kill('SIGKILL'), give)
    })
    child.on('error', () => resolve({ code: 1, wasUp }))
    child.on('exit', (code) => resolve({ code: code ?? 1, wasUp }))
    return promise.finally(() => clearTimeout(timer))
  }
}

type Ended = { code: number; wasUp: boolean }

/** A version may bring its own Node; most run on the launcher's. */
function nodeOf(folder: string): string {
  const own = path.join(folder, `node_modules/node-linux-${process.arch}/bin/node`)
  return existsSync(own) ? own : process.execPath
}
