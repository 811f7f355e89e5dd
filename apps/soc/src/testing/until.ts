import { setTimeout as pause } from 'node:timers/promises'

/**
 * Looks again until `isSo` holds, less often the longer it takes: each look takes from what is waited
 * for. Fails after a time no working machine needs.
 */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const patience = Date.now() + 120_000
  for (let ms = 5; !(await isSo()); ms = Math.min(ms * 1.25, 25)) {
    if (Date.now() > patience) throw new Error(`never happened: ${what}`)
    await pause(ms)
  }
}
