import type { LogRecord } from '@manara/log-query/event'
import type { DetectionRule } from '@manara/soc-contract/detections'
import { storable } from '@manara/soc-contract/storable'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { Hit } from '../domain/evaluate.ts'
import { type Span, see } from '../domain/term-spans.ts'

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
  const lookBackMs = rule.new_terms.look_back_days * DAY
  const known = await knownTerms(tx, rule.id, new Set(hits.map(({ term }) => term as string)))
  const replaced = new Set<string>()
  const fresh = hits.filter(({ term, log: { at, id } }) => {
    const verdict = see(known.get(term as string) as Span[], { at, id: storable(id) }, lookBackMs)
    if (verdict.replaced !== null) replaced.add(verdict.replaced)
    return verdict.isNew
  })
  await remember(tx, rule.id, known)
  return {
    hits: fresh.filter(({ log }) => !replaced.has(storable(log.id))),
    replaced: [...replaced],
  }
}

async function knownTerms(tx: Kysely<Tables>, ruleId: string, terms: Set<string>) {
  const rows = await tx
    .selectFrom('detection_terms')
    .select(['term', 'log_id', 'first_at', 'last_seen_at'])
    .where('rule_id', '=', ruleId)
    .where('term', '=', sql<string>`ANY(${[...terms]}::text[])`)
    .orderBy('first_at', (by) => by.asc().nullsFirst())
    .execute()
  const known = new Map<string, Span[]>([...terms].map((term) => [term, []]))
  for (const { term, log_id, first_at, last_seen_at } of rows) {
    known.get(term)?.push({
      logId: log_id,
      firstAt: first_at?.getTime() ?? -Infinity,
      lastAt: last_seen_at.getTime(),
    })
  }
  return known
}

/** Somebody else may learn what was there before the rule at the same time. */
async function remember(tx: Kysely<Tables>, ruleId: string, terms: Map<string, Span[]>) {
  const rows = [...terms].flatMap(([term, spans]) => spans.map((span) => ({ term, ...span })))
  await tx
    .deleteFrom('detection_terms')
    .where('rule_id', '=', ruleId)
    .where('term', '=', sql<string>`ANY(${[...terms.keys()]}::text[])`)
    .execute()
  await sql`
    INSERT INTO detection_terms (rule_id, term, log_id, first_at, last_seen_at)
    SELECT ${ruleId}::uuid, * FROM unnest(${rows.map(({ term }) => term)}::text[],
      ${rows.map(({ logId }) => logId)}::text[],
      ${rows.map(({ firstAt }) => (firstAt === -Infinity ? null : new Date(firstAt)))}::timestamptz[],
      ${rows.map(({ lastAt }) => new Date(lastAt))}::timestamptz[])
    ON CONFLICT (rule_id, term, first_at) DO UPDATE
      SET last_seen_at = greatest(detection_terms.last_seen_at, excluded.last_seen_at)`.execute(tx)
}
