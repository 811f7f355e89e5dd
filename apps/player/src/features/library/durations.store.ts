import type { Logger } from '@manara/kit/logging'
import { inOneStep } from '../../db/in-one-step.ts'
import type { Db } from '../../db/open-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DurationCache } from './durations.ts'

const FLUSH_MS = 500

/**
 * A card read once need not be read again after a restart. What is learnt is written in batches:
 * losing the last of it to a power cut costs a header read, 114 separate commits cost a second.
 */
export function createDurationStore(
  db: Db,
  clock: Pick<Clock, 'after'>,
  log: Pick<Logger, 'warn'>,
) {
  // An earlier version has kept what a damaged file said of itself, which is no number here.
  const select = db.prepare(
    `SELECT duration_ms FROM durations WHERE path = ? AND size = ? AND mtime_ms = ?
       AND duration_ms <= ${Number.MAX_SAFE_INTEGER}`,
  )
  const upsert = db.prepare(
    `INSERT INTO durations (path, size, mtime_ms, duration_ms) VALUES (?, ?, ?, ?)
     ON CONFLICT (path) DO UPDATE SET size = excluded.size, mtime_ms = excluded.mtime_ms,
       duration_ms = excluded.duration_ms`,
  )
  const learnt: [path: string, size: number, mtime_ms: number, duration_ms: number][] = []
  let cancel: (() => void) | undefined

  function flush() {
    cancel?.()
    cancel = undefined
    const rows = learnt.splice(0)
    if (rows.length === 0) return
    try {
      inOneStep(db, () => {
        for (const row of rows) upsert.run(...row)
      })
    } catch (error) {
      // What is lost costs a header read.
      log.warn({ err: error }, 'the lengths of files could not be kept')
    }
  }

  const cache: DurationCache = {
    get: ({ path, size, mtime_ms }) =>
      select.get(path, size, mtime_ms)?.duration_ms as number | undefined,
    set({ path, size, mtime_ms }, duration_ms) {
      learnt.push([path, size, mtime_ms, Math.round(duration_ms)])
      cancel ??= clock.after(FLUSH_MS, flush)
    },
  }
  return { cache, flush }
}
