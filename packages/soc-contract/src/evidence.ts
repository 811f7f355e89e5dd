import { z } from 'zod'
import { SignedHead, SignedState } from './proofs.ts'
import { filledText, Timestamp, text } from './text.ts'

const CustodyAction = z.enum([
  'registered',
  'collected',
  'transferred',
  'accessed',
  'verified',
  'copied',
  'exported',
  'released',
])

/** What happens to an entry rather than to the piece: its details were erased. */
export const LedgerAction = z.enum([...CustodyAction.options, 'erased'])
export type LedgerAction = z.infer<typeof LedgerAction>

/** One link of a case's chain; docs/evidence-ledger.md says how anyone recomputes `entry_hash`. */
export const LedgerEntry = z.object({
  seq: z.int(),
  evidence_id: z.string(),
  action: LedgerAction,
  actor: z.string(),
  timestamp: z.string(),
  details: z.record(z.string(), z.unknown()),
  /** SHA-256 of salt and details: what the chain holds of them. Null in entries from before. */
  details_hash: z.string().nullish(),
  salt: z.string().nullish(),
  /** Since when salt and details are gone; an `erased` entry says why. */
  erased_at: z.string().nullish(),
  prev_hash: z.string(),
  entry_hash: z.string(),
})
export type LedgerEntry = z.infer<typeof LedgerEntry>

/** As the database has it: whoever owns that may have written anything. */
export const StoredEntry = LedgerEntry.extend({
  action: z.union([LedgerAction, z.string()]),
  /** Why it cannot be believed, where that is seen without the rest of the chain. */
  problem: z.string().optional(),
})
export type StoredEntry = z.infer<typeof StoredEntry>

export const Evidence = z.object({
  id: z.string(),
  case_id: z.string(),
  name: z.string(),
  evidence_type: z.string(),
  storage_url: z.string().nullable(),
  sha256: z.string(),
  location: z.string().nullable(),
  registered_by: z.string(),
  created_at: z.string(),
  custody_entries: z.array(StoredEntry),
  custody_count: z
    .int()
    .optional()
    .meta({ description: 'How many entries there are, where `custody=count` left them out' }),
})
export type Evidence = z.infer<typeof Evidence>

export const Custody = z.strictObject({
  action: CustodyAction.exclude(['registered']),
  location: text(500).nullish(),
  to: text(320).nullish(),
  notes: text(5_000).nullish(),
})
export type Custody = z.infer<typeof Custody>

/** What happened to a piece before it came here, as the one who registers it states it. */
export const EarlierCustody = z.strictObject({
  action: CustodyAction,
  location: text(500).nullish(),
  to: text(320).nullish(),
  notes: text(5_000).nullish(),
  actor: text(320).nullish(),
  timestamp: Timestamp.nullish(),
})
export type EarlierCustody = z.infer<typeof EarlierCustody>

export const EvidenceCreate = z.strictObject({
  name: filledText(500),
  evidence_type: filledText(100),
  storage_url: text(2_048)
    .refine(isStorageUrl, 'must be a URL such as s3://bucket/key, without a password in it')
    .nullish(),
  sha256: z.string().regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hex characters'),
  location: text(500).nullish(),
  custody_entries: z
    .array(EarlierCustody)
    .max(100)
    .refine(
      (entries) => entries.slice(1).every(({ action }) => action !== 'registered'),
      'only the first may be registered',
    )
    .default([]),
})
export type EvidenceCreate = z.infer<typeof EvidenceCreate>

const RUNS_AS_SCRIPT = new Set(['javascript:', 'data:', 'vbscript:', 'blob:'])

// Consoles show it as a link, and the ledger keeps it for ever: neither a script nor a secret.
function isStorageUrl(value: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return false
  const url = URL.parse(value)
  return url !== null && !RUNS_AS_SCRIPT.has(url.protocol) && url.password === ''
}

export const BadEntry = z.object({ case_id: z.string(), seq: z.int(), reason: z.string() })
export type BadEntry = z.infer<typeof BadEntry>

const ChainVerdict = z.object({
  case_id: z.string(),
  valid: z.boolean(),
  entries: z.int(),
  head: z.string(),
  first_bad: BadEntry.nullable(),
  /** How far a signature outside the database vouches for it. */
  signed: SignedState,
})

/** Of the case and of the cases merged into it, each with its own chain. */
export const LedgerVerdict = z.object({
  valid: z.boolean(),
  entries: z.int(),
  first_bad: BadEntry.nullable(),
  chains: z.array(ChainVerdict),
})
export type LedgerVerdict = z.infer<typeof LedgerVerdict>

const ExportedEvidence = Evidence.omit({ custody_entries: true })
export type ExportedEvidence = z.infer<typeof ExportedEvidence>

/** `length` and `head` are kept apart from the entries, so that a chain cut short is noticed. */
export const LedgerChain = z.object({
  case_id: z.string(),
  title: z.string(),
  deleted_at: z.string().nullable(),
  length: z.int(),
  head: z.string(),
  evidence: z.array(ExportedEvidence),
  entries: z.array(StoredEntry),
})
export type LedgerChain = z.infer<typeof LedgerChain>

export const LEDGER_FORMAT = 'manara-evidence-ledger/2'

export const LedgerExport = z.object({
  format: z.literal(LEDGER_FORMAT),
  case_id: z.string(),
  exported_at: z.string(),
  exported_by: z.string(),
  /** Every chain that belongs to the case: an export that leaves one out is no export of it. */
  chain_ids: z.array(z.string()).min(1),
  /** What the service itself found when it exported. */
  verdict: z.object({ valid: z.boolean(), first_bad: BadEntry.nullable() }),
  /** Of the chains, as they were signed before the export. */
  heads: z.array(SignedHead),
  chains: z.array(LedgerChain).min(1),
  key_id: z.string(),
  signature: z.string(),
})
export type LedgerExport = z.infer<typeof LedgerExport>

export const LedgerEntryParams = z.object({ case_id: z.string(), seq: z.string() })

export const Erasure = z.strictObject({ reason: filledText(2_000) })
export type Erasure = z.infer<typeof Erasure>

export const EvidenceParams = z.object({ case_id: z.string(), evidence_id: z.string() })
