import type { Proposal } from '@manara/soc-contract/proposals'
import type { Kysely, Selectable } from 'kysely'
import { namedIn } from '../../../core/access/cases-named.ts'
import { idsIn, seeingAll } from '../../../core/access/reader.ts'
import type { Tables } from '../../../db/tables.ts'

export type ProposalRow = Selectable<Tables['proposals']>

export function toProposal({ key: _, feedback_ids: __, ...row }: ProposalRow): Proposal {
  return {
    ...row,
    decided_at: row.decided_at?.toISOString() ?? null,
    undone_at: row.undone_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }
}

/** For listeners: who may not read one of the cases that it names, anywhere in it, is left out. */
export const toldOf = (proposal: Proposal) => ({
  ...proposal,
  cases_named: idsIn(JSON.stringify(proposal)),
})

/** For the audit log: an entry is hidden like the proposal, from whoever may not read one of these. */
export async function casesNamed(tx: Kysely<Tables>, row: ProposalRow): Promise<string[]> {
  const named = seeingAll(() => namedIn(row))
  return (await tx.selectNoFrom(named.as('ids')).executeTakeFirstOrThrow()).ids
}
