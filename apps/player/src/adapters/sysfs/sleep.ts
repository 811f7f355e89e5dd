import { alarmFile } from './rtc.ts'
import type { Tree } from './tree.ts'

const STATE = 'sys/power/state'
const WAKE_SOURCES = 'sys/class/wakeup'
// From the deepest sleep that keeps memory to the lightest.
const DEPTHS = ['mem', 'standby', 'freeze']

const CONTAINER_MARKS = ['.dockerenv', 'run/.containerenv', 'run/systemd/container']

/** A container shares the kernel of its host, whose clock and sleep are not its own to command. */
export async function isContainer(tree: Tree): Promise<boolean> {
  const marks = await Promise.all(CONTAINER_MARKS.map((mark) => tree.read(mark)))
  return marks.some((mark) => mark !== undefined)
}

async function depth(tree: Tree): Promise<string | undefined> {
  const offered = (await tree.read(STATE))?.split(/\s+/) ?? []
  return DEPTHS.find((name) => offered.includes(name))
}

export async function whyNoSleep(tree: Tree): Promise<string | undefined> {
  if (await isContainer(tree))
    return 'the service runs in a container, which must not stop its host'
  if (!(await depth(tree))) return 'the kernel offers no sleep state'
  const canWake = (await alarmFile(tree)) ?? (await tree.list(WAKE_SOURCES))[0]
  return canWake ? undefined : 'nothing could wake it: no clock chip with an alarm and no button'
}

/** Writing the state returns after the host has woken up again. */
export async function sleepUntilWoken(tree: Tree, wakeIn_s: number | undefined): Promise<void> {
  const obstacle = await whyNoSleep(tree)
  if (obstacle) throw new Error(obstacle)
  await setAlarm(tree, wakeIn_s)
  await tree.write(STATE, (await depth(tree)) ?? '')
}

async function setAlarm(tree: Tree, wakeIn_s: number | undefined) {
  const file = await alarmFile(tree)
  if (!file) return
  // The kernel refuses a second alarm while one is set.
  await tree.write(file, '0')
  // Relative, so that a chip whose time is wrong still wakes the box at the right moment.
  if (wakeIn_s !== undefined) await tree.write(file, `+${Math.max(1, Math.floor(wakeIn_s))}`)
}
