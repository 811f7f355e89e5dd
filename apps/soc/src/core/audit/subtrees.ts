import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { halvesOf, type Leaves, nodeHash, rootOfAll } from '../proofs/merkle.ts'

/** Of fewer entries the hashes are quickly made of the entries themselves. */
const SMALLEST_KEPT = 256

type Kept = Leaves & { hash: string }

export const isKept = (size: number) => size >= SMALLEST_KEPT && Number.isInteger(Math.log2(size))

export async function keepSubtrees(db: Kysely<Tables>, subtrees: Kept[]): Promise<void> {
  if (subtrees.length === 0) return
  await sql`
    INSERT INTO audit_subtrees (first, size, hash)
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(subtrees)}::jsonb)
      AS subtree (first bigint, size bigint, hash text)
    ON CONFLICT DO NOTHING`.execute(db)
}

/** The root over some of the sealed entries, of what is kept or of nothing but the entries. */
export async function rootOver(
  db: Kysely<Tables>,
  leaves: Leaves,
  trustsKept: boolean,
): Promise<string> {
  const { size } = leaves
  if (size < SMALLEST_KEPT) return rootOfAll(await entryHashes(db, leaves))
  if (!isKept(size)) return joined(db, leaves, trustsKept)
  const kept = trustsKept ? await keptRoot(db, leaves) : undefined
  if (kept !== undefined) return kept
  const hash =
    size === SMALLEST_KEPT
      ? rootOfAll(await entryHashes(db, leaves))
      : await joined(db, leaves, trustsKept)
  if (trustsKept) await keepSubtrees(db, [{ ...leaves, hash }])
  return hash
}

async function joined(db: Kysely<Tables>, leaves: Leaves, trustsKept: boolean) {
  const [left, right] = halvesOf(leaves)
  return nodeHash(await rootOver(db, left, trustsKept), await rootOver(db, right, trustsKept))
}

async function keptRoot(db: Kysely<Tables>, { first, size }: Leaves): Promise<string | undefined> {
  const row = await db
    .selectFrom('audit_subtrees')
    .select('hash')
    .where('first', '=', String(first))
    .where('size', '=', String(size))
    .executeTakeFirst()
  return row?.hash
}

async function entryHashes(db: Kysely<Tables>, { first, size }: Leaves): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select('entry_hash')
    .where('seq', '>', String(first))
    .where('seq', '<=', String(first + size))
    .orderBy('seq')
    .execute()
  return rows.map(({ entry_hash }) => entry_hash ?? '')
}
