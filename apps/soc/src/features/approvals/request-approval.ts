import { randomUUIDv7 } from 'node:crypto'
import type {
  Approval,
  ApprovalKind,
  ApprovalTarget,
  FieldChange,
} from '@manara/soc-contract/approvals'
import type { PlaybookStep } from '@manara/soc-contract/playbooks'
import { sql } from 'kysely'
import { namedIn } from '../../core/access/cases-named.ts'
import { seeingAll } from '../../core/access/reader.ts'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { storableJson } from '../../db/storable.ts'
import type { Frozen } from '../../db/tables/response.ts'
import { toApproval, toldOf } from './approval-record.ts'
import { APPROVERS_LEFT } from './approvals.store.ts'
import { type Bound, bindingOf } from './domain/binding.ts'

export type ApprovalRequest = Bound & {
  kind: ApprovalKind
  action: string
  justification: string | null
  playbook_name: string | null
  execution_id: string | null
  requested_by: string
  ttl_hours: number
  targets?: ApprovalTarget[] | undefined
  playbook_version?: number | undefined
  /** As they are shown, and as they are run. */
  steps?: PlaybookStep[] | undefined
  frozen?: Frozen | undefined
  changes?: FieldChange[] | undefined
  approvers?: string[] | null | undefined
  approver_ids?: string[] | null | undefined
  /** What it rests on, whoever reads that: a case that is named in here is not shown by it either. */
  concerns?: unknown
}

export async function requestApproval(
  change: ChangeContext,
  { bound, ttl_hours, targets = [], steps = [], changes = [], frozen, ...asked }: ApprovalRequest,
): Promise<Approval> {
  const { concerns, ...request } = asked
  const { action, justification, parameters, execution_id } = request
  const named = namedIn(action, justification, parameters, steps, changes, targets)
  const concerned = seeingAll(() => namedIn(concerns))
  const row = await change.tx
    .insertInto('approvals')
    .values({
      ...request,
      id: randomUUIDv7(),
      parameters: JSON.stringify(parameters),
      targets: JSON.stringify(targets),
      steps: storableJson(steps),
      changes: storableJson(changes),
      frozen: storableJson(frozen),
      // What a step says may be from any case of its execution.
      cases_named: sql`ARRAY(SELECT unnest(${named}) UNION SELECT unnest(${concerned})
        UNION SELECT unnest(cases_named) FROM executions WHERE id = ${execution_id})`,
      binding_hash: bindingOf({ ...request, bound }),
      expires_at: sql<string>`now() + ${ttl_hours}::float8 * interval '1 hour'`,
    })
    .returningAll()
    .returning(APPROVERS_LEFT)
    .executeTakeFirstOrThrow()
  const approval = toApproval(row)
  await change.audit({
    action: 'approval.request',
    target: `approval:${approval.id}`,
    after: toldOf(row),
  })
  await change.publish('approval.requested', toldOf(row))
  return approval
}
