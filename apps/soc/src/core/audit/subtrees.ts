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

/** The root over some of the sealed entries: of what is kept, and what is missing there is kept now. */
export async function rootOfKept(db: Kysely<Tables>, leaves: Leaves): Promise<string> {
  const { size } = leaves
  if (size < SMALLEST_KEPT) return rootOfEntries(db, leaves)
  const kept = isKept(size) ? await keptRoot(db, leaves) : undefined
  if (kept !== undefined) return kept
  const hash =
    size === SMALLEST_KEPT
      ? await rootOfEntries(db, leaves)
      : await joined(leaves, (half) => rootOfKept(db, half))
  if (isKept(size)) await keepSubtrees(db, [{ ...leaves, hash }])
  return hash
}

/** The same of nothing but the entries, of which only a few are in memory. */
export async function rootOfEntries(db: Kysely<Tables>, leaves: Leaves): Promise<string> {
  return leaves.size <= SMALLEST_KEPT
    ? rootOfAll(await entryHashes(db, leaves))
    : joined(leaves, (half) => rootOfEntries(db, half))
}

async function joined(leaves: Leaves, rootOver: (half: Leaves) => Promise<string>) {
  const [left, right] = halvesOf(leaves)
  return nodeHash(await rootOver(left), await rootOver(right))
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
