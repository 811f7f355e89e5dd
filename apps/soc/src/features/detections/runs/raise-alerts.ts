import type { Alert, AlertCreate } from '@manara/soc-contract/alerts'
import type { CaseCreate } from '@manara/soc-contract/cases'
import type { DetectionRule } from '@manara/soc-contract/detections'
import type { Kysely } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import type { AlertGroup } from '../domain/alert-groups.ts'
import { setAlertOfHits } from './claim-hits.ts'

type Same = Pick<AlertCreate, 'title' | 'source'> & { host: string | null }

/** What detections need of alerts and cases, each as part of the caller's change. */
export type AlertRaising = {
  raiseAlert(
    change: ChangeContext,
    alert: AlertCreate,
    occurrences: number,
  ): Promise<{ alert: Alert; isNew: boolean }>
  /** The indicators of the rule's newest alert of that title, source and host that is not over. */
  openAlertOf(tx: Kysely<Tables>, ruleId: string, same: Same): Promise<string[] | undefined>
  /** The newest case with an alert of that rule and host that is not over. */
  openCaseOf(tx: Kysely<Tables>, ruleId: string, host: string | null): Promise<string | undefined>
  openCase(change: ChangeContext, fields: CaseCreate): Promise<{ id: string }>
  linkAlert(change: ChangeContext, alertId: string, caseId: string): Promise<unknown>
}

/** Resolves to the ids of the alerts, new or counted again. */
export async function raiseAlerts(
  raising: AlertRaising,
  change: ChangeContext,
  rule: DetectionRule,
  groups: AlertGroup[],
): Promise<string[]> {
  const ids: string[] = []
  for (const { alert, logIds, occurrences } of groups) {
    const same = await asOpenAlert(raising, change.tx, rule.id, alert)
    const { alert: raised } = await raising.raiseAlert(change, same, occurrences)
    await setAlertOfHits(change.tx, rule.id, logIds, raised.id)
    if (rule.auto_create_case && raised.case_id === null && !isOver(raised)) {
      await putInCase(raising, byItself(change), rule, raised)
    }
    ids.push(raised.id)
  }
  return [...new Set(ids)]
}

/**
 * The hash of an alert has its indicators in it. So that other addresses on the same host do not
 * make another alert each time, hits go to the rule's open alert, under that one's indicators.
 */
export async function asOpenAlert(
  { openAlertOf }: Pick<AlertRaising, 'openAlertOf'>,
  tx: Kysely<Tables>,
  ruleId: string,
  alert: AlertCreate,
): Promise<AlertCreate> {
  const { title, source, host = null } = alert
  const iocs = await openAlertOf(tx, ruleId, { title, source, host })
  return iocs === undefined ? alert : { ...alert, iocs }
}

/** In the name of who runs the rule, who has not looked at the alert yet: nobody takes it up by that. */
const byItself = (change: ChangeContext): ChangeContext => ({
  ...change,
  principal: { ...change.principal, role: 'service' },
})

/** One case for a rule on a host: what comes later joins it while it is open. */
async function putInCase(
  raising: AlertRaising,
  change: ChangeContext,
  rule: DetectionRule,
  alert: Alert,
) {
  const open = await raising.openCaseOf(change.tx, rule.id, alert.host)
  if (open !== undefined) {
    await raising.linkAlert(change, alert.id, open)
    return
  }
  await raising.openCase(change, {
    title: alert.title,
    severity: alert.severity,
    description: alert.description,
    alert_ids: [alert.id],
  })
}

const isOver = ({ status }: Alert) => ['resolved', 'closed', 'suppressed'].includes(status)
