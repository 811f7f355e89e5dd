import { createHash } from 'node:crypto'
import { canonicalJson } from '@manara/soc-contract/canonical-json'
import type { LedgerEntry } from '@manara/soc-contract/evidence'

export const GENESIS = '0'.repeat(64)

export type UnsealedEntry = Omit<LedgerEntry, 'seq' | 'prev_hash' | 'entry_hash'>
export type ChainHead = { length: number; head: string }

/** The next link: its place, what it hangs on, and the hash over all of it. */
export function sealEntry(after: ChainHead, entry: UnsealedEntry): LedgerEntry {
  const placed = { ...entry, seq: after.length + 1, prev_hash: after.head }
  return { ...placed, entry_hash: entryHash(placed) }
}

/** SHA-256, in hex, over the canonical JSON of the entry without its `entry_hash`. */
export function entryHash(entry: Omit<LedgerEntry, 'entry_hash'>): string {
  const { seq, evidence_id, action, actor, timestamp, details, prev_hash } = entry
  const sealed = { seq, evidence_id, action, actor, timestamp, details, prev_hash }
  return createHash('sha256').update(canonicalJson(sealed), 'utf8').digest('hex')
}
