import { AppError, conflict, notFound } from '@manara/kit/errors'
import type { EntryProof } from '@manara/soc-contract/proofs'
import type { Kysely } from 'kysely'
import { rootOfEntries, rootOfKept } from '../../core/audit/subtrees.ts'
import { rootFromPath, siblingsOf } from '../../core/proofs/merkle.ts'
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
  const { entry_hash } = row
  const index = Number(row.seq) - 1
  // What was kept of the tree may be spoilt while all entries are what was signed.
  for (const rootOver of [rootOfKept, rootOfEntries]) {
    const path: string[] = []
    for (const leaves of siblingsOf(index, { first: 0, size: head.size })) {
      path.push(await rootOver(db, leaves))
    }
    if (rootFromPath(entry_hash, index, head.size, path) === head.root) {
      return { entry_hash, index, path, head }
    }
  }
  throw new AppError(409, 'the log is not what was signed: see /audit/verify')
}
