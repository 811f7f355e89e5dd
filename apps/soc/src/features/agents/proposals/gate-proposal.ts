import { AppError } from '@manara/kit/errors'
import type { ApprovalTarget } from '@manara/soc-contract/approvals'
import type { Proposal } from '@manara/soc-contract/proposals'
import { type Kysely, sql } from 'kysely'
import { hiddenFromUser, hiding } from '../../../core/access/reader.ts'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'
import { citesOf, knownRecords } from '../findings/cited.ts'
import { hashOf } from './domain/kinds.ts'
import type { ProposalFunctions } from './functions.ts'
import { casesNamed, type ProposalRow } from './proposal-record.ts'
import { setProposal } from './proposals.store.ts'

export type GateFunctions = Pick<ProposalFunctions, 'requestApproval' | 'askForPlaybook'>

/**
 * Lets an open proposal through to the people who decide: an approval that is bound to its bytes.
 * One whose evidence or target is gone is withdrawn, with the reason.
 */
export async function gateProposal(
  functions: GateFunctions,
  change: ChangeContext,
  row: ProposalRow,
): Promise<Proposal> {
  const objection = await whyNot(change.tx, row)
  if (objection !== undefined) return withdraw(change, row, objection)
  const approved = await askApproval(functions, change, row)
  if (typeof approved === 'string') return withdraw(change, row, approved)
  return setProposal(change, row.id, { approval_id: approved.id, result: approved.result })
}

async function withdraw(change: ChangeContext, row: ProposalRow, status_reason: string) {
  await change.audit({
    action: 'proposal.withdraw',
    target: `proposal:${row.id}`,
    after: { status_reason, cases_named: await casesNamed(change.tx, row) },
  })
  return setProposal(change, row.id, { status: 'withdrawn', status_reason })
}

type Asked = { id: string | null; result: Record<string, unknown> | null }

async function askApproval(
  functions: GateFunctions,
  change: ChangeContext,
  row: ProposalRow,
): Promise<Asked | string> {
  const { action, title, rationale, evidence, cites } = row
  const concerns = { title, rationale, evidence, cites }
  if (action.kind !== 'execute_playbook') {
    const { id } = await functions.requestApproval(change, {
      ...boundOf(row),
      kind: 'proposal',
      action: row.title,
      justification: row.rationale.join('\n') || null,
      playbook_id: null,
      playbook_name: null,
      execution_id: null,
      targets: targetsOf(action),
      requested_by: row.proposed_by,
      ttl_hours: Math.max(0.1, (row.expires_at.getTime() - Date.now()) / 3_600_000),
      concerns,
    })
    return { id, result: null }
  }
  const { kind: _, ...ask } = action
  return askForPlaybook(functions, change, row, { ...ask, concerns })
}

/**
 * A playbook has an approval of its own, bound to its steps. Asked for by whoever proposed it, who
 * then neither decides about it nor sees more by it than they may.
 */
async function askForPlaybook(
  functions: GateFunctions,
  change: ChangeContext,
  { agent_id, proposed_by }: ProposalRow,
  ask: Omit<Parameters<GateFunctions['askForPlaybook']>[1], 'requested_by'>,
): Promise<Asked | string> {
  const hidden =
    agent_id === null ? await hiddenFromName(change.tx, proposed_by) : new Set<string>()
  if (!hidden) return `${proposed_by}, who proposed it, is not there any more`
  try {
    const begun = await hiding(hidden, () =>
      functions.askForPlaybook(change, { ...ask, requested_by: proposed_by }),
    )
    return { id: begun.approval_id, result: { execution_id: begun.execution_id } }
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error.message
    throw error
  }
}

async function hiddenFromName(tx: Kysely<Tables>, username: string) {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .where('disabled', '=', false)
    .executeTakeFirst()
  return user && hiddenFromUser(tx, user.id)
}

/** Whom it reaches, as approvals show it. */
function targetsOf(action: ProposalRow['action']): ApprovalTarget[] {
  const reached = (what: string, target: string | string[]) => [
    { step: action.kind, action: what, target },
  ]
  if (action.kind === 'endpoint_action') return reached(`edr_${action.command}`, action.hostname)
  if (action.kind === 'add_indicators') return reached('block_indicator', action.values)
  if (action.kind === 'disable_account') return reached('disable_account', action.account)
  return []
}

/** What an approval of the proposal stands for: nothing else can be done with it. */
export function boundOf({ id, action, action_sha256, cites }: ProposalRow) {
  return {
    alert_id: cites.alert_ids[0] ?? null,
    case_id: 'case_id' in action ? action.case_id : null,
    parameters: { proposal_id: id, ...action },
    bound: { action_sha256 },
  }
}

async function whyNot(tx: Kysely<Tables>, row: ProposalRow): Promise<string | undefined> {
  if (hashOf(row.action) !== row.action_sha256) return 'it was changed after it was proposed'
  const known = await knownRecords(tx, { findings: [], proposals: [row] })
  for (const [kind, ids] of citesOf(row.cites)) {
    if (kind === 'log_ids') continue
    const missing = ids.find((id) => !known[kind].has(id))
    if (missing) return `${kind.slice(0, -4)} ${missing}, which it cites, is not there any more`
  }
  return (await missingTarget(tx, row)) ?? misnamedTarget(tx, row)
}

/** The name is what people read, the id is what is reached: they must be of one endpoint. */
async function misnamedTarget(tx: Kysely<Tables>, { action }: ProposalRow) {
  if (action.kind !== 'endpoint_action') return undefined
  const endpoint = await tx
    .selectFrom('edr_endpoints')
    .select('hostname')
    .where('id', '=', action.endpoint_id)
    .executeTakeFirst()
  if (endpoint?.hostname.toLowerCase() === action.hostname.toLowerCase()) return undefined
  return `endpoint ${action.endpoint_id} is ${endpoint?.hostname}, not ${action.hostname}`
}

const TARGETS = {
  case_id: sql`SELECT FROM cases WHERE deleted_at IS NULL AND merged_into IS NULL AND id = `,
  endpoint_id: sql`SELECT FROM edr_endpoints WHERE id = `,
  rule_id: sql`SELECT FROM detection_rules WHERE id = `,
} as const

async function missingTarget(
  tx: Kysely<Tables>,
  { action }: ProposalRow,
): Promise<string | undefined> {
  const named = action as Record<string, unknown>
  for (const [field, select] of Object.entries(TARGETS)) {
    const id = named[field]
    if (typeof id !== 'string') continue
    const { rows } = isRecordId(id) ? await sql`${select}${id}`.execute(tx) : { rows: [] }
    if (rows.length === 0) return `${field.slice(0, -3)} ${id} is not there`
  }
  return undefined
}
