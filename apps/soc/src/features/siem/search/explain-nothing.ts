import type { Query } from '@manara/log-query/ast'
import { printQuery } from '@manara/log-query/print'
import { Severity } from '@manara/soc-contract/severity'
import type { Limits, LogSelection } from '../../../ports/log-store.ts'
import type { ReadableLogs } from './readable-logs.ts'

const MOST_PARTS = 8
const COUNT_UP_TO = 10_000
const TIME_LIMIT_MS = 1_000
const LONGEST_PART = 100

/** Why a search found nothing: an empty time, or a condition that nothing meets by itself. */
export async function explainNothing(
  logs: ReadableLogs,
  selection: LogSelection,
  { signal }: Limits,
): Promise<string[]> {
  const limits = { signal, timeLimitMs: TIME_LIMIT_MS }
  const { query, time } = selection
  const count = async (asked: LogSelection) => {
    const page = { skip: 0, limit: 1, order: 'desc', countUpTo: COUNT_UP_TO } as const
    const found = await logs.search({ ...asked, ...page }, limits)
    if (found.partial) return undefined
    return { count: found.total ?? found.logs.length, newest: found.logs[0] }
  }

  const inTime = await count({ query: { kind: 'all' }, time })
  if (inTime?.count === 0) return [await explainTime(count)]
  const parts = query.kind === 'and' ? query.queries.slice(0, MOST_PARTS) : [query]
  const reasons: string[] = []
  for (const part of parts) {
    const alone = parts.length === 1 ? { count: 0 } : await count({ query: part, time })
    if (alone?.count !== 0) continue
    const ever = await count({ query: part, time: {} })
    if (!ever) continue
    reasons.push(
      ever.newest
        ? `${shown(part)} matches nothing in this time; the newest match is from ${new Date(ever.newest.at).toISOString()}`
        : `${shown(part)} matches no stored event${severitiesFor(part)}`,
    )
  }
  if (reasons.length > 0) return reasons
  return ['each condition matches events of this time, but no event meets all of them']
}

type Count = (
  asked: LogSelection,
) => Promise<{ count: number; newest?: { at: number } | undefined } | undefined>

async function explainTime(count: Count): Promise<string> {
  const ever = await count({ query: { kind: 'all' }, time: {} })
  return ever?.newest
    ? `no event is from this time; the newest is from ${new Date(ever.newest.at).toISOString()}`
    : 'no event is stored yet: send some with POST /siem/logs, or connect a shipper'
}

/** Words of other scales become one of these when an event comes in. */
function severitiesFor(query: Query): string {
  const isAbout = query.kind === 'field' && query.field === 'severity'
  return isAbout ? `; severities are ${Severity.options.join(', ')}` : ''
}

function shown(query: Query): string {
  const text = printQuery(query)
  return text.length > LONGEST_PART ? `${text.slice(0, LONGEST_PART)}…` : text
}
