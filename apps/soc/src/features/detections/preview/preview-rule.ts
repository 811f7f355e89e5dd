import type { RulePreview, RulePreviewRequest } from '@manara/soc-contract/detection-content'
import type { Log } from '@manara/soc-contract/siem'
import type { Kysely } from 'kysely'
import type { Principal } from '../../../core/identity/principal.ts'
import type { Tables } from '../../../db/tables.ts'
import type { LogStore, StoredLog } from '../../../ports/log-store.ts'
import { ruleQueries } from '../domain/rule-query.ts'
import { checkRule, type IsFieldMissing, type MissingFields } from '../rules/check-rule.ts'
import { ruleById } from '../rules/rules.store.ts'
import { scanRules } from '../runs/scan-rules.ts'
import { estimateFalsePositives } from './estimate-false-positives.ts'
import { draftOf } from './preview-draft.ts'
import { createFindings } from './preview-findings.ts'
import { untilDeadline } from './until-deadline.ts'

type ExistingAlert = RulePreview['existing_alerts'][number]

export type PreviewDeps = {
  db: Kysely<Tables>
  logs: LogStore
  isFieldMissing: IsFieldMissing
  missingFields: MissingFields
  now(): number
  showLog(log: StoredLog): Log
  /** Those that are there with the same title, source and indicators. */
  sameAlerts(
    db: Kysely<Tables>,
    alerts: { title: string; source: string; iocs: string[] }[],
  ): Promise<ExistingAlert[]>
}

const DAY = 86_400_000

/** A rule as it would be, over the events that are there: nothing is stored or raised. */
export async function previewRule(
  deps: PreviewDeps,
  { days, rule_id, ...body }: RulePreviewRequest,
  principal: Principal,
  limits: { signal: AbortSignal; timeLimitMs: number },
): Promise<RulePreview> {
  const { db } = deps
  const now = deps.now()
  const { warnings } = checkRule(body, { ...deps, now })
  if (rule_id !== undefined) await ruleById(db, rule_id, principal)

  const time = { from: now - days * DAY, to: now }
  const rule = draftOf(body, rule_id, now)
  const bounded = untilDeadline(deps.logs, limits)
  const findings = createFindings(rule, time)
  const watched = { rule, queries: ruleQueries(body, now), time, received: {} }
  const scanned = await scanRules(bounded.logs, [watched], async (_, hits) => findings.add(hits))

  const existing = await deps.sameAlerts(db, findings.alerts())
  const estimate = await estimateFalsePositives(db, {
    ruleId: rule_id,
    alertIds: existing.map(({ id }) => id),
    matches: findings.total(),
  })
  return {
    total: findings.total(),
    matches_per_day: findings.perDay(),
    sample_logs: findings.samples().map(deps.showLog),
    alert_count: findings.alerts().length,
    existing_alerts: existing,
    ...estimate,
    warnings: [...warnings, ...(rule.kind === 'new_terms' ? [ONLY_THIS_STRETCH] : [])],
    from: new Date(time.from).toISOString(),
    to: new Date(time.to).toISOString(),
    events_scanned: scanned,
    partial: bounded.partial(),
  }
}

const ONLY_THIS_STRETCH =
  'new is here what does not occur earlier within these days; a saved rule knows what was before'
