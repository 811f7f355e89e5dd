import type { RunCommand } from './run-command.ts'
import { isContainer } from './sysfs/sleep.ts'
import type { Tree } from './sysfs/tree.ts'

/**
 * Sets the clock of the machine. Rejects with a reason where it is not ours to set: in a container,
 * or without the right to (CAP_SYS_TIME).
 */
export function createMachineClock(tree: Tree, run: RunCommand) {
  return async (epoch_s: number): Promise<void> => {
    if (await isContainer(tree)) throw new Error('a container does not set the clock of its host')
    const { code, stderr } = await run('date', ['--utc', '--set', `@${epoch_s}`])
    if (code !== 0) throw new Error(stderr.trim() || `date ended with ${code}`)
  }
}
