import { z } from 'zod'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)

/**
 * How far a chain had come, signed with a key outside the database. `chain` is `audit`, or
 * `evidence/` and the case; `head` the hash of its last entry; `root` that of the Merkle tree
 * (RFC 6962) over the hashes of all its entries.
 */
export const SignedHead = z.object({
  format: z.literal('soc-head-1'),
  chain: z.string(),
  size: z.int().min(1),
  head: Hash,
  root: Hash,
  at: z.string(),
  key_id: Hash,
  signature: z.string(),
})
export type SignedHead = z.infer<typeof SignedHead>

/** Proves that one entry is in the chain, to who has the public key and none of the others. */
export const EntryProof = z.object({
  /** Hash of the entry, and its place: the first is 0. */
  entry_hash: Hash,
  index: z.int(),
  path: z.array(Hash),
  head: SignedHead,
})
export type EntryProof = z.infer<typeof EntryProof>

/** What is outside the database, and what it says; null when nothing is yet. */
export const SignedState = z
  .object({ size: z.int(), at: z.string(), key_id: z.string() })
  .nullable()

export const PublicKeys = z.object({
  /** The one that signs now, and those that did before. */
  current: z.string(),
  keys: z.array(z.object({ key_id: z.string(), pem: z.string() })),
})
export type PublicKeys = z.infer<typeof PublicKeys>
