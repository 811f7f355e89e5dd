import { AppError, conflict, notFound } from '@manara/kit/errors'
import type { EntryProof } from '@manara/soc-contract/proofs'
import type { Kysely } from 'kysely'
import { inclusionPath, rootFromPath } from '../../core/proofs/merkle.ts'
import type { Witness } from '../../core/proofs/witness.ts'
import type { Tables } from '../../db/tables.ts'

/** The way from one entry to the signed root: the others need not be shown for it. */
export async function proveEntry(
  db: Kysely<Tables>,
  witness: Pick<Witness, 'latest'>,
  id: string,
): Promise<EntryProof> {
  const row = /^\d{1,18}$/.test(id)
    ? await db
        .selectFrom('audit_log')
        .select(['seq', 'entry_hash'])
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('audit entry', id)
  const head = witness.latest('audit')
  if (!head || !row.entry_hash || Number(row.seq) > head.size) {
    throw conflict(`audit entry ${id} is not signed yet: ask again in a few seconds`)
  }
  const hashes = await db
    .selectFrom('audit_log')
    .select('entry_hash')
    .where('seq', '<=', String(head.size))
    .orderBy('seq')
    .execute()
  const index = Number(row.seq) - 1
  const leaves = hashes.map(({ entry_hash }) => entry_hash ?? '')
  const path = inclusionPath(leaves, index)
  if (rootFromPath(row.entry_hash, index, head.size, path) !== head.root) {
    throw new AppError(409, 'the log is not what was signed: see /audit/verify')
  }
  return { entry_hash: row.entry_hash, index, path, head }
}
