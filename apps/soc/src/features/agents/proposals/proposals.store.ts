import { notFound } from '@manara/kit/errors'
import type { ListOf } from '@manara/soc-contract/lists'
import type { Proposal, ProposalListQuery } from '@manara/soc-contract/proposals'
import { type Kysely, sql } from 'kysely'
import { namesNoHidden } from '../../../core/access/reader.ts'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { inTime } from '../../../db/keyset.ts'
import { readPage } from '../../../db/page.ts'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'
import { specOf } from '../registry/catalogue.ts'
import { type ProposalRow, toldOf, toProposal } from './proposal-record.ts'

type Db = Kysely<Tables>

/** Where a proposal may name a case. */
const NAMING = ['action', 'cites', 'evidence', 'result', 'title', 'rationale', 'status_reason']

export async function proposalById(db: Db, id: string): Promise<Proposal> {
  const row = isRecordId(id)
    ? await db
        .selectFrom('proposals')
        .selectAll()
        .where('id', '=', id)
        .where(namesNoHidden(...NAMING))
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('proposal', id)
  return toProposal(row)
}

/** To decide or undo it: whoever else wants to waits, and then sees what became of it. */
export async function lockProposal(tx: Db, id: string): Promise<ProposalRow> {
  const row = isRecordId(id)
    ? await tx
        .selectFrom('proposals')
        .selectAll()
        .where('id', '=', id)
        .where(namesNoHidden(...NAMING))
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('proposal', id)
  return row
}

type Settable = Partial<
  Pick<
    ProposalRow,
    | 'status'
    | 'status_reason'
    | 'approval_id'
    | 'decided_by'
    | 'result'
    | 'feedback_ids'
    | 'undone_by'
  >
>

/** Stores, tells the listeners, and leaves the audit to the caller. */
export async function setProposal(
  change: ChangeContext,
  id: string,
  { result, ...fields }: Settable,
): Promise<Proposal> {
  const row = await change.tx
    .updateTable('proposals')
    .set({
      ...fields,
      ...(result === undefined ? {} : { result: result && JSON.stringify(result) }),
      ...(fields.decided_by === undefined
        ? {}
        : { decided_at: fields.decided_by === null ? null : sql<string>`now()` }),
      ...(fields.undone_by === undefined
        ? {}
        : { undone_at: fields.undone_by === null ? null : sql<string>`now()` }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const proposal = toProposal(row)
  await change.publish('proposal.updated', toldOf(proposal))
  return proposal
}

export async function listProposals(db: Db, query: ProposalListQuery): Promise<ListOf<Proposal>> {
  const listed = db
    .selectFrom('proposals')
    .selectAll()
    .where(sql.join<boolean>([...conditionsOf(query)], sql` AND `))
  return readPage(query, inTime('created_at', query.order), listed, toProposal)
}

function* conditionsOf({ status, kind, agent_id }: ProposalListQuery) {
  yield namesNoHidden(...NAMING)
  yield status === 'all' ? sql`true` : sql`status = ${status}`
  if (kind) yield sql`kind = ${kind}`
  if (agent_id) yield sql`agent_id = ${specOf(agent_id)?.id ?? agent_id}`
}
