import { conflict, forbidden, notFound } from '@manara/kit/errors'
import type { Alert, AlertCreate } from '@manara/soc-contract/alerts'
import type { CaseCreate, CaseDetail } from '@manara/soc-contract/cases'
import type { LogPromote } from '@manara/soc-contract/siem'
import type { Kysely } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { Principal } from '../../../core/identity/principal.ts'
import type { Tables } from '../../../db/tables.ts'
import type { StoredLog } from '../../../ports/log-store.ts'
import { alertFromLog } from './domain/alert-from-log.ts'
import { toLog } from './log-record.ts'
import type { ReadableLogs } from './readable-logs.ts'

type Db = Kysely<Tables>

/** What promoting needs of alerts, cases and detections, each as part of the caller's change. */
export type Promotion = {
  raiseAlert(change: ChangeContext, alert: AlertCreate): Promise<{ alert: Alert; isNew: boolean }>
  alertById(tx: Db, id: string): Promise<Alert>
  openCase(change: ChangeContext, fields: CaseCreate): Promise<CaseDetail>
  caseById(tx: Db, id: string): Promise<CaseDetail>
  /** The alert the rule would raise from this event; 404 for a rule the caller does not see. */
  alertOfRule(tx: Db, ruleId: string, log: StoredLog, principal: Principal): Promise<AlertCreate>
  /** The active suppression of the rule that holds this event back. */
  findSuppression(
    tx: Db,
    ruleId: string,
    log: StoredLog,
  ): Promise<{ id: string; name: string } | undefined>
  /** The alert that the event is counted on for the rule already. */
  alertOfHit(tx: Db, hit: { ruleId: string; logId: string }): Promise<string | undefined>
  /** The rule does not raise this event again. */
  claimForRule(tx: Db, claim: { ruleId: string; logId: string; alertId: string }): Promise<void>
}

export async function findLog(logs: Pick<ReadableLogs, 'byId'>, id: string): Promise<StoredLog> {
  const log = await logs.byId(id)
  if (!log) throw notFound('log', id)
  return log
}

export function mayPromote(principal: Principal, { create_case }: LogPromote) {
  if (create_case && !principal.permissions.has('cases:write')) throw forbidden('cases:write')
}

/**
 * The same event again gives the same alert and the case it is in. Without a rule it is counted once
 * more; for a rule an event counts once, whoever saw it first.
 */
export async function promoteLog(
  promotion: Promotion,
  change: ChangeContext,
  log: StoredLog,
  { create_case, rule_id }: LogPromote,
) {
  const { alert, isNew } = rule_id
    ? await raiseForRule(promotion, change, log, rule_id)
    : await promotion.raiseAlert(change, alertFromLog(toLog(log)))
  await change.audit({ action: 'log.promote', target: `log:${log.id}`, after: { alert: alert.id } })
  if (!create_case) return { alert, case: null, isNew }
  if (alert.case_id) {
    return { alert, case: await promotion.caseById(change.tx, alert.case_id), isNew }
  }
  const opened = await promotion.openCase(change, {
    title: alert.title,
    severity: alert.severity,
    description: alert.description,
    alert_ids: [alert.id],
  })
  return { alert: await promotion.alertById(change.tx, alert.id), case: opened, isNew: true }
}

async function raiseForRule(
  promotion: Promotion,
  change: ChangeContext,
  log: StoredLog,
  ruleId: string,
) {
  const wanted = await ruleAlert(promotion, change, log, ruleId)
  const hit = { ruleId, logId: log.id }
  const known = await promotion.alertOfHit(change.tx, hit)
  if (known) return { alert: await promotion.alertById(change.tx, known), isNew: false }
  const raised = await promotion.raiseAlert(change, wanted)
  await promotion.claimForRule(change.tx, { ...hit, alertId: raised.alert.id })
  return raised
}

async function ruleAlert(
  promotion: Promotion,
  { tx, principal }: ChangeContext,
  log: StoredLog,
  ruleId: string,
): Promise<AlertCreate> {
  const alert = await promotion.alertOfRule(tx, ruleId, log, principal)
  const held = await promotion.findSuppression(tx, ruleId, log)
  if (held) {
    throw conflict(
      `suppression "${held.name}" (${held.id}) holds this event back: nothing was created; end it first, or promote without rule_id`,
    )
  }
  return alert
}
