import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext, Changes } from '../../../../core/change/operator-change.ts'
import type { Tables } from '../../../../db/tables.ts'
import type { ActionFunctions } from '../../actions/functions.ts'
import type { PlaybookRow } from '../../definitions/playbook-record.ts'
import { evaluate, isTrue } from '../../domain/evaluate.ts'
import { parseExpression } from '../../domain/expression.ts'
import { resolveParameters } from '../../domain/parameters.ts'
import { approvalOf } from './start-or-ask-approval.ts'
import { type Ask, storeExecution } from './store-execution.ts'

const PAGE = 500

type Functions = Pick<ActionFunctions, 'requestApproval'>

/**
 * Looks at the alerts that came since the last look, each once however many processes there are:
 * how far the look got is moved in the same transaction as what it started. True when there is more.
 */
export async function triggerPlaybooks(
  { db, internalWorkflow }: { db: Kysely<Tables> } & Pick<Changes, 'internalWorkflow'>,
  functions: Functions,
): Promise<boolean> {
  const unseen = await db
    .selectFrom('outbox')
    .select('seq')
    .where('seq', '>', (head) => head.selectFrom('playbook_trigger_head').select('seq'))
    .limit(1)
    .executeTakeFirst()
  if (!unseen) return false
  return internalWorkflow(async (change) => {
    const head = await change.tx
      .selectFrom('playbook_trigger_head')
      .select('seq')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!head) return false
    const events = await change.tx
      .selectFrom('outbox')
      .select(['seq', 'event', 'data'])
      .where('seq', '>', head.seq)
      .orderBy('seq')
      .limit(PAGE)
      .execute()
    const last = events.at(-1)
    if (!last?.seq) return false
    const alerts = events.filter(({ event }) => event === 'alert.created')
    const playbooks = alerts.length > 0 ? await triggered(change) : []
    for (const { data } of alerts) {
      for (const playbook of playbooks) await begin(functions, change, playbook, data as Alerted)
    }
    await change.tx.updateTable('playbook_trigger_head').set({ seq: last.seq }).execute()
    return events.length === PAGE
  })
}

type Alerted = { id: string; case_id: string | null }

const triggered = ({ tx }: ChangeContext) =>
  tx
    .selectFrom('playbooks')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('enabled', '=', true)
    .where(sql<boolean>`trigger->>'on' = 'alert.created'`)
    .orderBy('id')
    .execute()

async function begin(
  { requestApproval }: Functions,
  change: ChangeContext,
  playbook: PlaybookRow,
  alert: Alerted,
) {
  const { when } = playbook.trigger
  if (when !== null && !isTrue(evaluate(parseExpression(when), { alert }))) return
  const ask: Ask = {
    trigger: 'alert.created',
    dry_run: false,
    alert_id: alert.id,
    case_id: alert.case_id,
    parameters: resolveParameters(playbook.parameters, {}),
    requested_by: change.principal.username,
  }
  if (!playbook.is_critical) {
    await storeExecution(change, playbook, ask)
    return
  }
  const id = randomUUIDv7()
  const approval = await requestApproval(change, approvalOf(playbook, ask, id))
  const beginning = { id, status: 'pending_approval', approval_id: approval.id } as const
  await storeExecution(change, playbook, ask, beginning)
}
