import type { StoredLog, TimeRange } from '../../ports/log-store.ts'
import { eachOf, segmentsInTime, slices } from './plan.ts'
import { readLogs } from './read-logs.ts'
import { budgetOf } from './readers.ts'
import { COLUMN_LIST } from './rows.ts'
import { mayHold, type Segment } from './segments.ts'
import { createBinding, fromSegments, rangeConditions, weightOf } from './statement.ts'
import type { Store } from './store.ts'

/** As many full segments are read at first. */
const FIRST_SEGMENTS = 8
/** An event gets its id when it is read, which may be a while after it came; and clocks are set. */
const [BEFORE_MS, AFTER_MS] = [60 * 60_000, 60_000]

/**
 * The events of these ids. An id of our own tells when its event came, so that few segments are read
 * for it; only what is not found there is looked for in all of them, newest first.
 */
export async function readByIds(
  store: Store,
  ids: string[],
  received: TimeRange = {},
): Promise<StoredLog[]> {
  const found = new Map<string, StoredLog>()
  const whole = segmentsInTime(store, { query: { kind: 'all' }, time: {}, received })
  const arrivals = ids.flatMap(arrivalOf)
  const near = whole.filter((segment) =>
    arrivals.some((arrival) => mayHold({ time: {}, received: arrival }, segment)),
  )
  await readFrom(near)
  const read = new Set(near)
  await readFrom(whole.filter((segment) => !read.has(segment)))
  return [...found.values()]

  async function readFrom(segments: Segment[]) {
    const budget = budgetOf()
    await eachOf(slices(segments, 'desc', FIRST_SEGMENTS, budget.taken), async (some) => {
      const missing = ids.filter((id) => !found.has(id))
      if (missing.length === 0) return false
      const { bind, values } = createBinding()
      const condition = [
        `id IN (${missing.map((id) => bind(id)).join(', ')})`,
        ...rangeConditions('received_ms', received, bind),
      ].join(' AND ')
      const logs = await readLogs(
        fromSegments(some, COLUMN_LIST, condition),
        missing.length,
        (sql) => store.readers.read(sql, values, budget, weightOf(some, budget)),
      )
      for (const log of logs) {
        const other = found.get(log.id)
        if (!other || other.at < log.at) found.set(log.id, log)
      }
      return true
    })
  }
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** None where the id does not say so. */
function arrivalOf(id: string) {
  if (!UUID_V7.test(id)) return []
  const at = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
  return [{ from: at - BEFORE_MS, to: at + AFTER_MS }]
}
