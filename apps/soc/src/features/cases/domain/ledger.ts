import { createHash } from 'node:crypto'
import { canonicalJson } from '@manara/soc-contract/canonical-json'
import { LedgerAction, type LedgerEntry, type StoredEntry } from '@manara/soc-contract/evidence'

export const GENESIS = '0'.repeat(64)

/** With a salt it commits to its details by a hash; those from before there were salts do not. */
export type UnsealedEntry = Omit<
  LedgerEntry,
  'seq' | 'prev_hash' | 'entry_hash' | 'details_hash' | 'erased_at'
>
export type ChainHead = { length: number; head: string }

const sha256 = (value: unknown) =>
  createHash('sha256').update(canonicalJson(value), 'utf8').digest('hex')

/** The next link: its place, what it hangs on, and the hash over all of it. */
export function sealEntry(after: ChainHead, entry: UnsealedEntry): LedgerEntry {
  const details_hash = entry.salt == null ? null : detailsHash(entry.salt, entry.details)
  const placed = { ...entry, details_hash, seq: after.length + 1, prev_hash: after.head }
  return { ...placed, entry_hash: entryHash(placed) }
}

/** Once salt and details are gone, nobody can find out by guessing what they were. */
export const detailsHash = (salt: string, details: LedgerEntry['details']) =>
  sha256([salt, details])

/**
 * SHA-256, in hex, over the canonical JSON of the entry: with `details_hash` for its details, or
 * with the details themselves where there is none.
 */
export function entryHash(entry: Omit<StoredEntry, 'entry_hash'>): string {
  const { seq, evidence_id, action, actor, timestamp, details, details_hash, prev_hash } = entry
  const sealed = { seq, evidence_id, action, actor, timestamp, prev_hash }
  return sha256(details_hash == null ? { ...sealed, details } : { ...sealed, details_hash })
}

/** Nothing here writes any other. */
export const unknownAction = ({ action }: StoredEntry): string | undefined =>
  LedgerAction.safeParse(action).success ? undefined : `${action} is no action of the ledger`
