import { notFound } from '@manara/kit/errors'
import type { Backtest, BacktestRequest } from '@manara/soc-contract/detection-content'
import { type Kysely, sql } from 'kysely'
import type { Principal } from '../../../core/identity/principal.ts'
import { sharedWith } from '../../../core/identity/sharing.ts'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'
import type { LogSelection, LogStore } from '../../../ports/log-store.ts'
import { lookBackMs } from '../domain/evaluate.ts'
import { ruleQueries } from '../domain/rule-query.ts'
import { prefilter } from '../runs/scan-rules.ts'
import type { Matcher } from '../stream/matcher.ts'
import type { MatchRule } from '../stream/rule-set.ts'
import { MATCHED_BY } from '../stream/stream.store.ts'

export type BacktestDeps = {
  db: Kysely<Tables>
  logs: Pick<LogStore, 'scan'>
  startMatcher(): Matcher
  now(): number
}

type Tested = MatchRule & { name: string; sigma_id: string | null }

const RULES_AT_ONCE = 500
const LOGS_AT_ONCE = 100

/**
 * Many rules over stored events in one pass. What they match is counted as it is: suppressions are
 * not asked and no alert is raised.
 */
export async function runBacktest(
  deps: BacktestDeps,
  request: BacktestRequest,
  principal: Principal,
  limits: { signal: AbortSignal; timeLimitMs: number },
): Promise<Backtest> {
  const started = deps.now()
  const named = await rulesOf(deps.db, request, principal)
  limits.signal.throwIfAborted()
  const rules = named.slice(request.skip, request.skip + request.limit)
  const matcher = deps.startMatcher()
  const stop = () => void matcher.close()
  limits.signal.addEventListener('abort', stop, { once: true })
  try {
    const tally = createTally(rules)
    const time = { from: request.from.getTime(), to: request.to.getTime() }
    const pass = { matcher, deadline: started + limits.timeLimitMs, ...limits }
    // New is what does not occur earlier within the time: those rules begin with it.
    const { late = [], early = [] } = Object.groupBy(rules, ({ kind }) =>
      kind === 'new_terms' ? 'late' : 'early',
    )
    const errors = new Map(await setRules(matcher, early, started))
    const several = early.filter((rule) => lookBackMs(rule) > 0 && !errors.has(rule.id))
    // Half of the time: however far back windows reach, what was asked about is looked at.
    const half = { ...pass, deadline: started + limits.timeLimitMs / 2 }
    const isCut = await lookBack(deps, half, several, time.from)
    for (const error of await setRules(matcher, late, started)) errors.set(...error)
    const { scanned, partial } = await detect(
      deps,
      pass,
      { query: { kind: 'all' }, time },
      tally.add,
    )
    return {
      items: rules.map(({ id, name, sigma_id }) => {
        const { count, ids } = tally.of(id)
        const error = errors.get(id)
        return {
          rule_id: id,
          sigma_id,
          name,
          match_count: count,
          ...(request.include_ids ? { log_ids: ids } : {}),
          ...(request.include_ids && ids.length < count ? { are_ids_cut: true } : {}),
          ...(error === undefined ? {} : { error }),
        }
      }),
      rules: named.length,
      events_scanned: scanned,
      duration_ms: deps.now() - started,
      partial: partial ?? (isCut ? CUT_BEFORE : null),
    }
  } finally {
    limits.signal.removeEventListener('abort', stop)
    await matcher.close()
  }
}

async function rulesOf(db: Kysely<Tables>, request: BacktestRequest, principal: Principal) {
  const { rule_ids, tag } = request
  const malformed = rule_ids?.find((id) => !isRecordId(id))
  if (malformed !== undefined) throw notFound('rule', malformed)
  const named = rule_ids ? sql<boolean>`id = ANY(${rule_ids}::uuid[])` : sql<boolean>`true`
  const rules: Tested[] = await db
    .selectFrom('detection_rules')
    .select([...MATCHED_BY, 'name', 'sigma_id'])
    .where(sharedWith(principal))
    .where(named)
    .where(tag === undefined ? sql<boolean>`true` : sql<boolean>`${tag} = ANY(tags)`)
    .orderBy('id')
    .execute()
  const missing = rule_ids?.find((id) => !rules.some((rule) => rule.id === id.toLowerCase()))
  if (missing !== undefined) throw notFound('rule', missing)
  return rules
}

async function setRules(matcher: Matcher, rules: Tested[], now: number) {
  const errors = new Map<string, string>()
  for (let at = 0; at < rules.length; at += RULES_AT_ONCE) {
    const unusable = await matcher.set(rules.slice(at, at + RULES_AT_ONCE), now)
    for (const { rule, reason } of unusable) errors.set(rule, reason)
  }
  return errors
}

type Pass = { matcher: Matcher; deadline: number; signal: AbortSignal; timeLimitMs: number }

/** What came before decides about the first events, as it did when they arrived; true when it was cut. */
async function lookBack(deps: BacktestDeps, pass: Pass, rules: Tested[], to: number) {
  if (rules.length === 0) return false
  const from = to - Math.max(...rules.map(lookBackMs))
  const queries = rules.map((rule) => ({ queries: ruleQueries(rule, deps.now()) }))
  const selection = { query: prefilter(queries), time: { from, to } }
  return (await detect(deps, pass, selection, () => {})).partial !== null
}

async function detect(
  { logs, now }: BacktestDeps,
  { matcher, deadline, signal, timeLimitMs }: Pass,
  selection: LogSelection,
  onHits: Tally['add'],
) {
  let scanned = 0
  for await (const batch of logs.scan(selection, { signal })) {
    for (let at = 0; at < batch.length; at += LOGS_AT_ONCE) {
      if (now() > deadline) return { scanned, partial: tooLong(timeLimitMs, scanned) }
      const part = batch.slice(at, at + LOGS_AT_ONCE)
      for (const { rule, logs: places } of await matcher.detect(part)) {
        onHits(
          rule,
          places.map((place) => part[place]?.id ?? ''),
        )
      }
      scanned += part.length
    }
  }
  return { scanned, partial: null }
}

/** Of one rule, and of all together: an answer is read by people and programs, not a copy of the logs. */
const MOST_IDS_OF_RULE = 10_000
const MOST_IDS = 200_000

type Tally = ReturnType<typeof createTally>

function createTally(rules: readonly { id: string }[]) {
  const tallies = new Map(rules.map(({ id }) => [id, { count: 0, ids: [] as string[] }]))
  let kept = 0
  return {
    of: (rule: string) => tallies.get(rule) ?? { count: 0, ids: [] },
    add(rule: string, ids: string[]) {
      const tally = tallies.get(rule)
      if (!tally) return
      tally.count += ids.length
      const room = Math.min(MOST_IDS_OF_RULE - tally.ids.length, MOST_IDS - kept)
      const taken = ids.slice(0, Math.max(0, room))
      tally.ids.push(...taken)
      kept += taken.length
    },
  }
}

const CUT_BEFORE =
  'what came before took too long and was read in part: the first hits of rules with long windows may be missing; test those by themselves'

const tooLong = (limitMs: number, scanned: number) =>
  `stopped after ${Math.round(limitMs / 1_000)} s and ${scanned} events: ask for a shorter time`
