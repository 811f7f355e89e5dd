import type { Kysely } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'

/** What cases need of alerts, each as part of the case's own change. */
export type AlertsOfCases = {
  /**
   * Resolves to the ids, each once. Throws 400 naming `alert_ids` when one does not exist, 409 when
   * one is in another case.
   */
  linkAlerts(change: ChangeContext, caseId: string, alertIds: string[]): Promise<string[]>
  /** Back to triaged, and in no case. */
  releaseAlerts(change: ChangeContext, caseIds: string[], ids?: string[]): Promise<void>
  /** All, or those of `ids` that are still there; resolves to what moved. */
  moveAlerts(
    change: ChangeContext,
    move: { from: string; to: string; ids?: string[] },
  ): Promise<string[]>
  /** What these alerts name as indicators, each once. */
  indicatorsOf(
    db: Kysely<Tables>,
    alertIds: string[],
  ): Promise<{ alert_id: string; value: string }[]>
  /** By case, oldest first. */
  alertIdsOf(db: Kysely<Tables>, caseIds: string[]): Promise<Map<string, { id: string }[]>>
}
