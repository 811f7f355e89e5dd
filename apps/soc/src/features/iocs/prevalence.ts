import { invalid } from '@manara/kit/errors'
import type { Prevalence, PrevalenceQuery } from '@manara/soc-contract/iocs'
import type { LogStore } from '../../ports/log-store.ts'
import { createIndicatorMatcher } from './domain/indicator-matcher.ts'
import { normaliseIoc } from './domain/normalise.ts'
import { windowOf } from './look-back.ts'
import { matchLog } from './match-log.ts'
import { queryFor } from './query-for.ts'

const MOST_EVENTS = 1_000
const MOST_NAMES = 20
const SEARCH_MS = 3_000
const DAY = 86_400_000

/** On which hosts and days the stored logs have an indicator, before anybody blocks it. */
export async function prevalenceOf(
  { logs, days, now }: { logs: Pick<LogStore, 'search'>; days: number; now(): number },
  { value: given, type }: PrevalenceQuery,
): Promise<Prevalence> {
  const indicator = normaliseIoc(given, type)
  if (typeof indicator === 'string') throw invalid('value', `${given} ${indicator}`)
  const { time, received } = windowOf({ days, now })
  const found = await logs.search(
    {
      query: queryFor(indicator),
      ...{ time, received },
      skip: 0,
      limit: MOST_EVENTS,
      order: 'desc',
      countUpTo: MOST_EVENTS + 1,
    },
    { timeLimitMs: SEARCH_MS },
  )
  const matcher = createIndicatorMatcher()
  matcher.add(indicator)
  const seen = found.logs.filter((log) => matchLog(matcher, log).length > 0)
  const names = new Set(seen.flatMap(({ host }) => host?.toLowerCase() ?? []))
  const times = seen.map(({ at }) => at).toSorted((a, b) => a - b)
  const moment = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())
  return {
    ...indicator,
    hosts: names.size,
    host_names: [...names].slice(0, MOST_NAMES),
    days: new Set(times.map((at) => Math.floor(at / DAY))).size,
    events: seen.length,
    first_seen_at: moment(times[0]),
    last_seen_at: moment(times.at(-1)),
    since: new Date(received.from).toISOString(),
    partial: found.partial !== null || (found.total ?? 0) > MOST_EVENTS,
  }
}
