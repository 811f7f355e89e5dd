import type { Logger } from '@manara/kit/logging'
import { type Kysely, sql } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import { tryInside } from '../../core/change/try-inside.ts'
import type { Tables } from '../../db/tables.ts'
import { toApproval, toldOf } from './approval-record.ts'
import { APPROVERS_LEFT } from './approvals.store.ts'
import type { OnDecided } from './decide-approval.ts'

const AT_ONCE = 100

/** Writes down that nobody decided in time, and tells; true when there are more. */
export async function expireApprovals(
  deps: { db: Kysely<Tables>; log: Pick<Logger, 'error'> } & Pick<Changes, 'internalWorkflow'>,
  onDecided: OnDecided,
): Promise<boolean> {
  const due = await overdue(deps.db).limit(1).executeTakeFirst()
  if (!due) return false
  return deps.internalWorkflow(async (change) => {
    const rows = await change.tx
      .updateTable('approvals')
      .set({ status: 'timeout' })
      .where('id', 'in', overdue(change.tx).limit(AT_ONCE).forUpdate().skipLocked())
      .returningAll()
      .returning(APPROVERS_LEFT)
      .execute()
    for (const row of rows) {
      const approval = toApproval(row)
      await change.audit({ action: 'approval.timeout', target: `approval:${row.id}` })
      await change.publish('approval.timeout', toldOf(row))
      // What cannot follow from one must not keep the others open, for ever.
      const failed = await tryInside(change, (part) => onDecided(part, approval))
      if (!failed) continue
      deps.log.error({ err: failed.thrown, approval: row.id }, 'nothing followed from an approval')
      await change.audit({ action: 'approval.follow_up_failed', target: `approval:${row.id}` })
    }
    return rows.length === AT_ONCE
  })
}

const overdue = (db: Kysely<Tables>) =>
  db
    .selectFrom('approvals')
    .select('id')
    .where('status', '=', 'pending')
    .where('expires_at', '<=', sql<Date>`now()`)
    .orderBy('expires_at')
