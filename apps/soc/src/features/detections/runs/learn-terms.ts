import type { LogRecord } from '@manara/log-query/event'
import type { DetectionRule } from '@manara/soc-contract/detections'
import { storable } from '@manara/soc-contract/storable'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { Hit } from '../domain/evaluate.ts'

type Known = { log_id: string | null; first_at: Date | null; last_seen_at: Date }

const DAY = 86_400_000

type Learnt<Log extends LogRecord> = {
  hits: Hit<Log>[]
  /** Events that counted as new until an earlier one came late. */
  replaced: string[]
}

/** Of a new_terms rule only what is new, and remembered from now on; other rules' hits as they are. */
export async function learnTerms<Log extends LogRecord>(
  tx: Kysely<Tables>,
  rule: Pick<DetectionRule, 'id' | 'new_terms'>,
  hits: Hit<Log>[],
): Promise<Learnt<Log>> {
  if (!rule.new_terms || hits.length === 0) return { hits, replaced: [] }
  const lookBack = rule.new_terms.look_back_days * DAY
  const known = await knownTerms(tx, rule.id, [...new Set(hits.map(({ term }) => term as string))])
  const replaced = new Set<string>()
  const isNew = ({ term, log }: Hit) => {
    const seen = known.get(term as string)
    const id = storable(log.id)
    const isEarlier = seen !== undefined && comesBefore({ at: log.at, id }, seen)
    if (isEarlier && seen.log_id !== null) replaced.add(seen.log_id)
    // The event that was new stays new, however often it is looked at.
    const isFirst =
      !seen || isEarlier || seen.log_id === id || seen.last_seen_at.getTime() < log.at - lookBack
    const last = Math.max(log.at, seen?.last_seen_at.getTime() ?? 0)
    known.set(term as string, {
      log_id: isFirst ? id : seen.log_id,
      first_at: isFirst ? new Date(log.at) : seen.first_at,
      last_seen_at: new Date(last),
    })
    return isFirst
  }
  const fresh = hits.filter(isNew)
  await remember(tx, rule.id, known)
  return {
    hits: fresh.filter(({ log }) => !replaced.has(storable(log.id))),
    replaced: [...replaced],
  }
}

/** What was there before the rule began is in no event's place. */
function comesBefore(event: { at: number; id: string }, { log_id, first_at }: Known): boolean {
  if (log_id === null || first_at === null) return false
  const first = first_at.getTime()
  return event.at < first || (event.at === first && event.id < log_id)
}

async function knownTerms(tx: Kysely<Tables>, ruleId: string, terms: string[]) {
  const rows = await tx
    .selectFrom('detection_terms')
    .select(['term', 'log_id', 'first_at', 'last_seen_at'])
    .where('rule_id', '=', ruleId)
    .where('term', '=', sql<string>`ANY(${terms}::text[])`)
    .execute()
  return new Map<string, Known>(rows.map(({ term, ...seen }) => [term, seen]))
}

async function remember(tx: Kysely<Tables>, ruleId: string, terms: Map<string, Known>) {
  const seen = [...terms.values()]
  await sql`
    INSERT INTO detection_terms (rule_id, term, log_id, first_at, last_seen_at)
    SELECT ${ruleId}::uuid, * FROM unnest(${[...terms.keys()]}::text[],
      ${seen.map(({ log_id }) => log_id)}::text[],
      ${seen.map(({ first_at }) => first_at)}::timestamptz[],
      ${seen.map(({ last_seen_at }) => last_seen_at)}::timestamptz[])
    ON CONFLICT (rule_id, term) DO UPDATE
      SET log_id = excluded.log_id, first_at = excluded.first_at, last_seen_at = excluded.last_seen_at`.execute(
    tx,
  )
}
