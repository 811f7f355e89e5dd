import { sql } from 'kysely'
import { RECORD_ID } from '../../../db/record-id.ts'
import type { StoredLog } from '../../../ports/log-store.ts'
import type { AgentWork, Run } from '../queue/agent-work.ts'
import { asCriteria, smallestCriteria, TELLING, type Told } from './domain/smallest-criteria.ts'
import { anyValue } from './reads/queries.ts'

const DAY_MS = 86_400_000
const WEEK_HOURS = 168
const ENOUGH_VERDICTS = 5
const WRONG = 0.8
const NOISY_A_DAY = 20
const MOST_REPLAYED = 2_000
const AT_ONCE = 500

export type TunerDeps = {
  /** By the names of the query language. */
  fieldText(log: StoredLog, name: string): string | undefined
  /** The value as a criterion that means exactly it. */
  literalCriterion(value: string): string
}

type Noisy = { id: string; name: string; wrong: string; all: string }

/** For rules that people found wrong again and again: the smallest exception, replayed over a week. */
export function createDetectionTuner(deps: TunerDeps): AgentWork {
  return {
    everyMs: DAY_MS,
    jobsOf: ({ seq, event, data }) =>
      event === 'rule.feedback' && data.verdict !== 'true_positive'
        ? [
            {
              key: `feedback:${data.id}:${seq}`,
              input: { rule_id: data.id },
              priority: 1,
              group: `rule:${data.id}`,
              delayMs: 2_000,
              isPutOff: true,
            },
          ]
        : [],
    async run({ input }, run) {
      const rules = await noisyRules(run, input.rule_id)
      run.step('rules that people found wrong', rules.length)
      for (const rule of rules) await tune(deps, run, rule)
    },
  }
}

async function noisyRules(run: Run, only: unknown): Promise<Noisy[]> {
  const { rows } = await sql<Noisy>`
    SELECT rule.id, rule.name,
      count(*) FILTER (WHERE verdict = 'false_positive') AS wrong, count(*) AS all
    FROM detection_feedback AS said JOIN detection_rules AS rule ON rule.id = rule_id
    WHERE said.created_at > now() - interval '90 days'
      AND (${only ?? null}::uuid IS NULL OR rule.id = ${only ?? null}::uuid)
      AND rule.sharing_mode = 'team'
    GROUP BY rule.id HAVING count(*) >= ${ENOUGH_VERDICTS}
      AND count(*) FILTER (WHERE verdict = 'false_positive') >= ${WRONG}::float8 * count(*)
    ORDER BY rule.id LIMIT 20`.execute(run.db)
  return rows
}

async function tune({ fieldText, literalCriterion }: TunerDeps, run: Run, rule: Noisy) {
  const hits = await hitsOf(run, rule.id)
  if (hits.length < NOISY_A_DAY) return
  const said = await saidOf(run, rule.id)
  const logs = await readLogs(run, [...new Set([...hits, ...said.map(({ log_id }) => log_id)])])
  const toldOf = (ids: string[]) =>
    ids.flatMap((id) => {
      const log = logs.get(id)
      return log ? [told(fieldText, log)] : []
    })
  const of = (verdict: string) =>
    said.filter((one) => one.verdict === verdict).map(({ log_id }) => log_id)
  const wrong = toldOf(of('false_positive'))
  const everything = toldOf(hits)
  run.step(`hits of ${rule.name} replayed`, everything.length)
  if (wrong.length < ENOUGH_VERDICTS * WRONG) return
  const found = smallestCriteria(wrong, toldOf(of('true_positive')), everything)
  if (!found) return
  const share = Math.round((100 * found.held) / Math.max(1, everything.length))
  run.say(`an exception for ${rule.name} that holds ${share} % of its hits`)
  run.propose({
    key: `suppress:${rule.id}`,
    title: `Hold back the false alarms of ${rule.name}`.slice(0, 500),
    rationale: [
      `${rule.wrong} of ${rule.all} verdicts of the last 90 days are false positives.`,
      `Over the last 7 days ${found.held} of ${everything.length} hits would have been held back (${share} %).`,
      'All events that people called false are held back, and none that they called true.',
    ],
    action: {
      kind: 'suppress',
      rule_id: rule.id,
      name: `False alarms of ${rule.name}`.slice(0, 300),
      reason: `${rule.wrong} of ${rule.all} verdicts were false positives`,
      criteria: asCriteria(found.criteria, literalCriterion),
      suppress_for_hours: WEEK_HOURS * 4,
    },
    evidence: { replayed: everything.length, held: found.held, verdicts: Number(rule.all) },
    cites: { rule_ids: [rule.id], log_ids: of('false_positive').filter((id) => logs.has(id)) },
  })
}

const told = (fieldText: TunerDeps['fieldText'], log: StoredLog): Told =>
  Object.fromEntries(TELLING.map((name) => [name, fieldText(log, name)]))

/** Of the last day if that is a noisy one, else nothing; the replay takes a week. */
async function hitsOf(run: Run, ruleId: string): Promise<string[]> {
  const { rows } = await sql<{ log_id: string; is_recent: boolean }>`
    SELECT log_id, claimed_at > now() - interval '1 day' AS is_recent FROM detection_hits
    WHERE rule_id = ${ruleId} AND NOT is_held AND claimed_at > now() - interval '7 days'
    ORDER BY claimed_at DESC LIMIT ${MOST_REPLAYED}`.execute(run.db)
  const recent = rows.filter(({ is_recent }) => is_recent).length
  const aDay = Math.max(recent, rows.length / 7)
  return aDay >= NOISY_A_DAY ? rows.map(({ log_id }) => log_id) : []
}

async function saidOf(run: Run, ruleId: string) {
  const { rows } = await sql<{ verdict: string; log_id: string }>`
    SELECT verdict, coalesce(siem_log_id, alerts.source_ref) AS log_id
    FROM detection_feedback AS said
    LEFT JOIN alerts ON alerts.id = CASE WHEN said.alert_id ~* ${RECORD_ID} THEN said.alert_id::uuid END
    WHERE said.rule_id = ${ruleId} AND said.created_at > now() - interval '90 days'
      AND coalesce(siem_log_id, alerts.source_ref) IS NOT NULL
    ORDER BY said.created_at DESC LIMIT 200`.execute(run.db)
  return rows
}

async function readLogs(run: Run, ids: string[]): Promise<Map<string, StoredLog>> {
  const logs = new Map<string, StoredLog>()
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    const answer = await run.logs.search({
      query: anyValue('id', some),
      time: {},
      skip: 0,
      limit: some.length,
      order: 'desc',
      countUpTo: 0,
    })
    for (const log of answer.logs) logs.set(log.id, log)
  }
  return logs
}
