import type { Feedback, FeedbackCreate } from '@manara/soc-contract/rule-feedback'
import type { SuppressionCreate } from '@manara/soc-contract/suppressions'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { audienceOf } from '../../../core/identity/sharing.ts'
import type { Tables } from '../../../db/tables.ts'
import type { LogStore, StoredLog } from '../../../ports/log-store.ts'
import { suggestSuppression } from '../domain/suggest-suppression.ts'
import { ruleById } from '../rules/rules.store.ts'
import { insertFeedback, namedBy } from './feedback.store.ts'

/** The id of the event an alert was raised for; undefined when there is no such alert. */
export type EventOfAlert = (db: Kysely<Tables>, alertId: string) => Promise<string | undefined>

export async function giveFeedback(
  deps: { logs: Pick<LogStore, 'byId'>; eventOfAlert: EventOfAlert },
  change: ChangeContext,
  ruleId: string,
  body: FeedbackCreate,
): Promise<Feedback & { suggested_suppression: SuppressionCreate | null }> {
  const rule = await ruleById(change.tx, ruleId, change.principal)
  const about = await namedBy(change.tx, body)
  const feedback = await insertFeedback(change.tx, {
    ...body,
    ...about,
    rule_id: rule.id,
    created_by: change.principal.username,
  })
  await change.audit({
    action: 'rule.feedback',
    target: `rule:${rule.id}`,
    after: { ...feedback, metadata: undefined },
  })
  const told = { id: rule.id, verdict: body.verdict, case_id: about.case_id }
  await change.publish('rule.feedback', { ...told, audience: audienceOf(rule) })
  const log = body.verdict === 'false_positive' ? await eventOf(deps, change, body) : undefined
  return {
    ...feedback,
    suggested_suppression: log ? suggestSuppression(rule, log, body.notes) : null,
  }
}

/** What was said by mistake is not counted any more. */
export async function withdrawFeedback(change: ChangeContext, ids: string[]): Promise<void> {
  const gone = await change.tx
    .deleteFrom('detection_feedback')
    .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .returning(['id', 'rule_id', 'verdict', 'created_by'])
    .execute()
  for (const { rule_id, ...before } of gone) {
    await change.audit({ action: 'rule.feedback.withdraw', target: `rule:${rule_id}`, before })
  }
}

/** Retention may have taken the event: then there is nothing to suggest. */
async function eventOf(
  { logs, eventOfAlert }: Parameters<typeof giveFeedback>[0],
  change: ChangeContext,
  { siem_log_id, alert_id }: FeedbackCreate,
): Promise<StoredLog | undefined> {
  const id = siem_log_id ?? (alert_id ? await eventOfAlert(change.tx, alert_id) : undefined)
  return id ? logs.byId(id) : undefined
}
