import { setTimeout as pause } from 'node:timers/promises'

/** Looks again until `isSo` holds; fails after a time no working machine needs. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const patience = Date.now() + 120_000
  while (!(await isSo())) {
    if (Date.now() > patience) throw new Error(`never happened: ${what}`)
    await pause(5)
  }
}
