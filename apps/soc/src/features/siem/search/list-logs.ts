import { invalid } from '@manara/kit/errors'
import type { LogList, LogListQuery } from '@manara/soc-contract/siem'
import { inPieces } from '../../../ports/log-size.ts'
import type { Limits, LogSelection, SearchAnswer } from '../../../ports/log-store.ts'
import { DEEP, findDeepPage } from './deep-page.ts'
import { selectionOf } from './domain/selection.ts'
import { explainNothing } from './explain-nothing.ts'
import { cursorBehind, positionOf } from './log-cursor.ts'
import { toLog } from './log-record.ts'
import type { ReadableLogs } from './readable-logs.ts'

const MOST_COUNTED = 10_000
/** The events asked for must not wait for their number: what takes more is for `countLogs`. */
const COUNT_EVENTS = 20_000
/** A page with more text would keep everybody else waiting while it is written. */
const PAGE_CHARACTERS = 4 * 2 ** 20
const CUT =
  'the page ends early, because its events are large: go on with cursor, or with skip and the number of items'

export async function listLogs(
  logs: ReadableLogs,
  { q, skip, limit, order, cursor, ...filter }: LogListQuery,
  now: number,
  limits: Limits,
  deep = DEEP,
): Promise<LogList> {
  const selection = selectionOf({ ...filter, query: q }, now)
  const found = await readPage(logs, selection, { skip, limit, order, cursor, deep }, limits)
  const isNothing = found.logs.length === 0 && found.total === 0 && !found.partial
  const reasons = isNothing ? await explainNothing(logs, selection, limits) : []
  const [page] = inPieces(found.logs, { events: limit, characters: PAGE_CHARACTERS })
  const shown = page?.logs ?? []
  const last = shown.at(-1)
  const hasMore = found.logs.length > shown.length
  const isCut = hasMore && shown.length < limit
  return {
    items: shown.map(toLog),
    total: found.total ?? 0,
    // What could not be searched was not counted either.
    is_total_exact: found.isTotalExact && found.partial === null,
    partial: found.partial,
    notes: [...(logs.notesOn?.(selection.query) ?? []), ...reasons, ...(isCut ? [CUT] : [])],
    skip,
    limit,
    has_more: hasMore,
    next_cursor: hasMore && last ? cursorBehind(order, last) : null,
  }
}

async function readPage(
  logs: ReadableLogs,
  selection: LogSelection,
  page: Pick<LogListQuery, 'skip' | 'limit' | 'order' | 'cursor'> & { deep: number },
  limits: Limits,
): Promise<SearchAnswer> {
  const { skip, order, cursor, deep } = page
  const after = positionOf(order, cursor)
  // The one more tells whether there are more.
  const asked = { ...selection, limit: page.limit + 1, order, after }
  if (skip < deep) {
    const counting = { countUpTo: MOST_COUNTED, countEvents: COUNT_EVENTS }
    return logs.search({ ...asked, skip, ...counting }, limits)
  }
  if (after) throw invalid('skip', `must be less than ${deep} behind a cursor`)
  const { begin, total, partial } = await findDeepPage(logs, selection, page, limits)
  const counted = { total, isTotalExact: partial === null }
  if (!begin) return { logs: [], ...counted, partial }
  const found = await logs.search({ ...asked, ...begin, countUpTo: 0 }, limits)
  return { ...found, ...counted, partial: found.partial ?? partial }
}
