import { mkdtempSync, rmSync, statfsSync } from 'node:fs'

const MEMORY = '/dev/shm'
const ENOUGH = 8 * 2 ** 30

/**
 * Where there is much memory, what the tests write stays there: they make and remove half a million
 * files and wait for each to be on a disk, and what has to survive a kill survives it there as well.
 */
export function writeIntoMemory() {
  if (freeBytes() < ENOUGH) return
  const folder = mkdtempSync(`${MEMORY}/tests-`)
  process.env.TMPDIR = folder
  // Memory is not given back otherwise.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}

/** A container may have less than the machine says. */
function freeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return Math.min(bavail * bsize, process.availableMemory())
  } catch {
    return 0
  }
}
