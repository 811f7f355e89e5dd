import { compareText } from '@manara/log-query/fold'
import type {
  Incomplete,
  Limits,
  Position,
  SearchAnswer,
  SearchRequest,
  StoredLog,
} from '../../ports/log-store.ts'
import { candidates, slices } from './plan.ts'
import { type Budget, budgetOf, TimeLimitReached } from './readers.ts'
import { COLUMN_LIST, toLog } from './rows.ts'
import { liesWithin, type Segment } from './segments.ts'
import { createBinding, fromSegments, selectionCondition } from './statement.ts'
import type { Store } from './store.ts'

const FEW_SEGMENTS = 32

/** Newest (or oldest) segments first, a few at a time: it ends as soon as nothing better can come. */
export async function searchLogs(
  store: Store,
  request: SearchRequest,
  limits: Limits | undefined,
): Promise<SearchAnswer> {
  const budget = budgetOf(limits)
  const wanted = request.skip + request.limit
  const found: StoredLog[] = []
  let total = 0
  let partial: Incomplete = null
  const countUntil = performance.now() + (request.countMs ?? 0)
  const mostCounted = request.countMs === undefined ? request.countUpTo : Number.POSITIVE_INFINITY
  let isCountCut = false
  // One more than asked for is what tells that there are more.
  const isCounting = () =>
    request.countUpTo > 0 && (total <= request.countUpTo || performance.now() < countUntil)

  try {
    const segmentsLeft = await pool()
    for (const segments of slices(segmentsLeft, request.order, firstSlice(segmentsLeft))) {
      const isComplete = nothingBetterIn(segments)
      if (!isCounting()) isCountCut = true
      if (isComplete && isCountCut) break
      const rows = isComplete ? undefined : await readRows(segments, budget)
      if (rows) merge(rows)
      if (!isCountCut) total += await countIn(segments, rows, budget)
    }
  } catch (error) {
    if (!(error instanceof TimeLimitReached)) throw error
    partial = timeLimit(limits)
  }

  const isTotalExact = partial === null && !isCountCut && total <= mostCounted
  return {
    logs: found.slice(request.skip, wanted),
    total: request.countUpTo === 0 ? null : Math.min(total, mostCounted),
    isTotalExact: isTotalExact && request.countUpTo > 0,
    partial,
  }

  /** Without a query the first segment is full of matches; a few are read faster all at once. */
  function firstSlice({ length }: Segment[]): number {
    if (request.query.kind === 'all') return 1
    return length <= FEW_SEGMENTS ? FEW_SEGMENTS : 8
  }

  async function pool(): Promise<Segment[]> {
    const segments = await candidates(store, request)
    const { after, order, countUpTo } = request
    if (!after || countUpTo > 0) return segments
    return segments.filter(({ minAt, maxAt }) =>
      order === 'desc' ? minAt <= after.at : maxAt >= after.at,
    )
  }

  /** The first segment reaches furthest, of this slice and of all that follow. */
  function nothingBetterIn([first]: Segment[]): boolean {
    if (wanted === 0) return true
    const last = found[wanted - 1]
    if (!last || !first) return false
    return request.order === 'desc' ? first.maxAt < last.at : first.minAt > last.at
  }

  async function readRows(segments: Segment[], within: Budget): Promise<StoredLog[]> {
    const binding = createBinding()
    const condition = [
      selectionCondition(request, binding),
      ...(request.after ? [afterCondition(request.after, request.order, binding)] : []),
    ].join(' AND ')
    const sql = `SELECT * FROM (${fromSegments(segments, COLUMN_LIST, condition)})
      ORDER BY at_ms ${request.order}, id ${request.order} LIMIT ${wanted}`
    const rows = await store.readers.read(sql, binding.values, within)
    return rows.map(toLog)
  }

  function merge(rows: StoredLog[]) {
    const sign = request.order === 'desc' ? -1 : 1
    found.push(...rows)
    found.sort((a, b) => sign * (a.at - b.at || compareText(a.id, b.id)))
    found.length = Math.min(found.length, wanted)
  }

  /** Rows that did not reach the limit are all there are; whole segments are counted already. */
  async function countIn(segments: Segment[], rows: StoredLog[] | undefined, within: Budget) {
    if (rows && !request.after && rows.length < wanted) return rows.length
    let count = 0
    const toRead: Segment[] = []
    for (const segment of segments) {
      if (request.query.kind === 'all' && liesWithin(request, segment)) count += segment.events
      else toRead.push(segment)
    }
    if (toRead.length === 0) return count
    const binding = createBinding()
    const condition = selectionCondition(request, binding)
    const [row] = await store.readers.read(
      `SELECT count(*) FROM (${fromSegments(toRead, 'at_ms', condition)})`,
      binding.values,
      within,
    )
    return count + Number(row?.[0])
  }
}

function afterCondition(
  { at, id }: Position,
  order: 'asc' | 'desc',
  { bind }: { bind(value: string | number): string },
) {
  const sign = order === 'desc' ? '<' : '>'
  const moment = bind(at)
  return `(at_ms ${sign} ${moment} OR (at_ms = ${moment} AND id ${sign} ${bind(id)}))`
}

export const timeLimit = (limits: Limits | undefined): Incomplete => ({
  reason: 'time_limit',
  detail: `the search was ended after ${limits?.timeLimitMs} ms: narrow the time range or the query`,
})
