import type { Query } from '@manara/log-query/ast'
import { printQuery } from '@manara/log-query/print'
import { Severity } from '@manara/soc-contract/severity'
import type { Limits, LogSelection } from '../../../ports/log-store.ts'
import type { ReadableLogs } from './readable-logs.ts'

const MOST_PARTS = 8
const TIME_LIMIT_MS = 1_000
const LONGEST_PART = 100

type Newest = { at: number } | 'none' | 'unknown'

/** Why a search found nothing: an empty time, or a condition that nothing meets by itself. */
export async function explainNothing(
  logs: ReadableLogs,
  { query, time }: LogSelection,
  { signal }: Limits,
): Promise<string[]> {
  const limits = { signal, timeLimitMs: TIME_LIMIT_MS }
  const newest = async (asked: LogSelection): Promise<Newest> => {
    const page = { skip: 0, limit: 1, order: 'desc', countUpTo: 0 } as const
    const found = await logs.search({ ...asked, ...page }, limits)
    return found.logs[0] ?? (found.partial ? 'unknown' : 'none')
  }

  if ((await newest({ query: ALL, time })) === 'none') {
    return [explainTime(await newest({ query: ALL, time: {} }))]
  }
  const parts = query.kind === 'and' ? query.queries : [query]
  const reasons: string[] = []
  let isEachMet = parts.length <= MOST_PARTS
  for (const part of parts.slice(0, MOST_PARTS)) {
    const alone = parts.length === 1 ? 'none' : await newest({ query: part, time })
    isEachMet &&= typeof alone === 'object'
    if (alone === 'none') reasons.push(explainPart(part, await newest({ query: part, time: {} })))
  }
  if (reasons.length > 0) return reasons
  return [
    isEachMet
      ? 'each condition matches events of this time, but no event meets all of them'
      : 'no event of this time meets all conditions',
  ]
}

const ALL: Query = { kind: 'all' }

function explainPart(part: Query, newest: Newest): string {
  if (newest === 'none') return `${shown(part)} matches no stored event${severitiesFor(part)}`
  const nothing = `${shown(part)} matches nothing in this time`
  return newest === 'unknown' ? nothing : `${nothing}; the newest match is from ${momentOf(newest)}`
}

function explainTime(newest: Newest): string {
  if (newest === 'none') {
    return 'no event is stored yet: send some with POST /siem/logs, or connect a shipper'
  }
  const nothing = 'no event is from this time'
  return newest === 'unknown' ? nothing : `${nothing}; the newest is from ${momentOf(newest)}`
}

const momentOf = ({ at }: { at: number }) => new Date(at).toISOString()

/** Words of other scales become one of these when an event comes in. */
function severitiesFor(query: Query): string {
  const isAbout = query.kind === 'field' && query.field === 'severity'
  return isAbout ? `; severities are ${Severity.options.join(', ')}` : ''
}

function shown(query: Query): string {
  const text = printQuery(query)
  return text.length > LONGEST_PART ? `${text.slice(0, LONGEST_PART)}…` : text
}
