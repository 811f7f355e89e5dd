import { z } from 'zod'
import { ListQuery, listOf } from './lists.ts'
import { SignedState } from './proofs.ts'
import { filledText } from './text.ts'

export const AuditOutcome = z.enum(['done', 'preview', 'blocked', 'refused'])
export type AuditOutcome = z.infer<typeof AuditOutcome>

export const AuditRecord = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.string(),
  /** Which user of that name. */
  actor_id: z.string().nullable(),
  /** `user`, `api_key`, `agent`, `playbook`, `system` or `anonymous`. */
  actor_kind: z.string(),
  action: z.string(),
  target: z.string(),
  outcome: AuditOutcome,
  detail: z.string().nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  address: z.string().nullable(),
  request_id: z.string().nullable(),
  /** Null for the moment between the change and its sealing. */
  seq: z.int().nullable(),
  prev_hash: z.string().nullable(),
  entry_hash: z.string().nullable(),
  /** SHA-256 of salt and details: what the chain holds of `detail`, `before`, `after`, `address`. */
  details_hash: z.string().nullable(),
  salt: z.string().nullable(),
  erased_at: z.string().nullable(),
})
export type AuditRecord = z.infer<typeof AuditRecord>

export const AuditList = listOf(AuditRecord)

export const AuditListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
  from: true,
  to: true,
  q: true,
}).extend({
  actor: filledText(200).optional(),
  action: filledText(200).optional(),
  target: filledText(500).optional(),
  outcome: AuditOutcome.optional(),
})
export type AuditListQuery = z.infer<typeof AuditListQuery>

export const AuditVerdict = z.object({
  valid: z.boolean(),
  /** Entries in the chain, and those that wait to be sealed. */
  sealed: z.int(),
  unsealed: z.int(),
  head_hash: z.string(),
  /** The first entry that is not as it was sealed, and why. */
  /** How far a signature outside the database vouches for it. */
  signed: SignedState,
  erased: z.int(),
  broken_at: z.object({ seq: z.int(), id: z.string().nullable(), reason: z.string() }).nullable(),
})
export type AuditVerdict = z.infer<typeof AuditVerdict>

export const AuditParams = z.object({ id: z.string() })
