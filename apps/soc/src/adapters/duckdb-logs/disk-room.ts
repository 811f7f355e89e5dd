import { statfsSync } from 'node:fs'
import { unavailable } from '@manara/kit/errors'

/** What a failed write means to the caller. */
export function explainFailure(error: unknown): unknown {
  return /no space left|ENOSPC|file too large|disk quota/i.test(String(error))
    ? diskFull(error)
    : error
}

const diskFull = (cause?: unknown) =>
  unavailable(
    'the disk of the log store is full: free space or shorten the retention, then try again',
    cause,
  )

/** Stops before the disk is full: what is stored must stay readable, and be moved to its place. */
export function checkRoom({ directory, reserveMb }: { directory: string; reserveMb: number }) {
  const { bavail, bsize } = statfsSync(directory)
  if (bavail * bsize < reserveMb * 2 ** 20) throw diskFull()
}
