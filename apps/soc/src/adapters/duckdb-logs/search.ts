import { compareText } from '@manara/log-query/fold'
import type {
  Incomplete,
  Limits,
  Position,
  SearchAnswer,
  SearchRequest,
  StoredLog,
} from '../../ports/log-store.ts'
import { asksOnlyForKeys } from '../key-questions.ts'
import { countMatches } from './count-matches.ts'
import { eachOf, MOST_GROWTH, mayHaveText, mostIn, segmentsInTime, slices } from './plan.ts'
import { readLogs } from './read-logs.ts'
import { type Budget, budgetBeside, budgetOf, TimeLimitReached } from './readers.ts'
import { COLUMN_LIST } from './rows.ts'
import { eventsIn, type Segment } from './segments.ts'
import {
  type Binding,
  createBinding,
  fromSegments,
  selectionCondition,
  weightOf,
} from './statement.ts'
import type { Store } from './store.ts'

/** Few that a filter chose are read faster all at once; else the first may have all that is wanted. */
const FEW_SEGMENTS = 32

/**
 * Newest (or oldest) segments first, a few at a time: it ends as soon as nothing better can come.
 * The matches are counted as far as the request allows: what is a matter of a glance while the events
 * are looked for, on another connection, else when they are found. Where a glance would not do for all
 * of them, only those that were come upon are.
 */
export async function searchLogs(
  store: Store,
  request: SearchRequest,
  limits: Limits | undefined,
  budget = budgetOf(limits),
): Promise<SearchAnswer> {
  const wanted = request.skip + request.limit
  const found: StoredLog[] = []
  /** Segments of which every match was read. */
  const readWhole = new Set<Segment>()
  let matchesRead = 0
  let partial: Incomplete = null

  const inTime = segmentsInTime(store, request)
  const segments = await mayHaveText(store, inTime, request, limits?.signal)
  const isRare = segments.length <= FEW_SEGMENTS && segments.length * 2 <= inTime.length
  const isCountable = isWithinReach(request, segments)
  let glance: ReturnType<typeof countMatches> | undefined
  /** Most lists end with what is read first; what goes on may go on for long. */
  let isFirst = true
  try {
    // A page that begins in the middle of a segment ends in the next one.
    const wide = isRare ? Math.ceil(segments.length / 2) : 1 + Math.floor(wanted / mostIn(segments))
    const parts = slices(pool(), request.order, wide, budget.taken, mayHaveBetter)
    if (!isRare) await readUntilFull(parts)
    await eachOf(parts, readNext)
  } catch (error) {
    if (!(error instanceof TimeLimitReached)) throw error
    partial = timeLimit(limits)
  } finally {
    // Nothing reads on when the search has ended.
    await glance?.catch(() => {})
  }

  const logs = found.slice(request.skip, wanted)
  if (request.countUpTo === 0) return { logs, total: null, isTotalExact: false, partial }
  if (partial) return { logs, total: found.length, isTotalExact: false, partial }
  const toCount = segments.filter((segment) => !readWhole.has(segment))
  if (toCount.length > 0 && !isCountable) {
    return { logs, total: Math.max(matchesRead, found.length), isTotalExact: false, partial }
  }
  const counted =
    glance && toCount.length > 0
      ? await glance
      : await countMatches(store, request, toCount, matchesRead, budget)
  const isCountAsked = request.countEvents === undefined
  return {
    logs,
    total: Math.max(counted.total, Math.min(found.length, counted.most)),
    isTotalExact: counted.isExact,
    partial: counted.isOutOfTime && isCountAsked ? timeLimit(limits) : null,
  }

  /**
   * The first slice, and each one that may be the last: what is read beside that one is read in vain.
   * Until there is a page nobody knows how far it reaches.
   */
  async function readUntilFull(parts: Iterator<Segment[]>) {
    for (let next = parts.next(); !next.done; next = parts.next()) {
      const before = found.length
      await readNext(next.value)
      const [gained, left] = [found.length - before, wanted - found.length]
      if (left === 0 || gained * MOST_GROWTH < left) return
    }
  }

  async function readNext(some: Segment[]) {
    const reading = readRows(some, isFirst || isRare ? budget : { ...budget, least: 1 })
    isFirst = false
    glance ??= countAtAGlance()
    const rows = await reading
    merge(rows)
    if (!request.after && rows.length < wanted) {
      for (const segment of some) readWhole.add(segment)
      matchesRead += rows.length
    }
  }

  function countAtAGlance() {
    const isAsked = request.countUpTo > 0 && request.countEvents !== undefined
    const isWorthIt = isAsked && isCountable && !isRare
    if (!isWorthIt) return undefined
    const counting = countMatches(store, request, segments, 0, budgetBeside(budget))
    // It may fail before the rows are there, and a failure that nobody awaits ends the process.
    counting.catch(() => {})
    return counting
  }

  function pool(): Segment[] {
    const { after, order } = request
    if (!after) return segments
    return segments.filter(({ minAt, maxAt }) =>
      order === 'desc' ? minAt <= after.at : maxAt >= after.at,
    )
  }

  /** Than the last one that was found so far. */
  function mayHaveBetter({ minAt, maxAt }: Segment): boolean {
    if (wanted === 0) return false
    const last = found[wanted - 1]
    if (!last) return true
    return request.order === 'desc' ? maxAt >= last.at : minAt <= last.at
  }

  async function readRows(some: Segment[], within: Budget): Promise<StoredLog[]> {
    const binding = createBinding()
    const { after, order } = request
    // Where events came out of their order each segment has some of the time that is read: what is
    // behind the last one wanted would be read in vain. Who counts has to know of every match.
    const last = request.countUpTo === 0 ? found[wanted - 1] : undefined
    const condition = [
      selectionCondition(request, binding),
      ...(after ? [behind(after, order, binding)] : []),
      ...(last ? [behind(last, order === 'asc' ? 'desc' : 'asc', binding)] : []),
    ].join(' AND ')
    const events = `SELECT * FROM (${fromSegments(some, COLUMN_LIST, condition)})
      ORDER BY at_ms ${order}, id ${order} LIMIT ${wanted}`
    return readLogs(events, wanted, (sql) =>
      store.readers.read(sql, binding.values, within, weightOf(some, within)),
    )
  }

  function merge(rows: StoredLog[]) {
    const sign = request.order === 'desc' ? -1 : 1
    found.push(...rows)
    found.sort((a, b) => sign * (a.at - b.at || compareText(a.id, b.id)))
    found.length = Math.min(found.length, wanted)
  }
}

/** Whether all matches can be counted by reading as few events as the request says. */
const isWithinReach = ({ query, countEvents }: SearchRequest, segments: Segment[]) =>
  countEvents === undefined || asksOnlyForKeys(query) || eventsIn(segments) <= countEvents

function behind({ at, id }: Position, order: 'asc' | 'desc', { bind }: Binding) {
  const sign = order === 'desc' ? '<' : '>'
  const moment = bind(at)
  // The first is what the engine looks up in its zone maps, before it reads any id.
  return `at_ms ${sign}= ${moment} AND (at_ms ${sign} ${moment} OR id ${sign} ${bind(id)})`
}

export const timeLimit = (limits: Limits | undefined): Incomplete => ({
  reason: 'time_limit',
  detail: `the search was ended after ${limits?.timeLimitMs} ms: narrow the time range or the query`,
})
