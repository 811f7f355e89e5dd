import type {
  BadEntry,
  ExportedEvidence,
  LedgerChain,
  LedgerVerdict,
  StoredEntry,
} from '@manara/soc-contract/evidence'
import type { SignedHead } from '@manara/soc-contract/proofs'
import { detailsHash, entryHash, GENESIS, unknownAction } from './ledger.ts'
import { registeredFacts } from './registration.ts'

/** What was signed outside the database for the chain of a case. */
export type SignedOf = (caseId: string) => SignedHead | undefined

/** Recomputes every chain; the first entry that cannot be believed is named, with the reason. */
export function verifyChains(
  chains: LedgerChain[],
  signedOf: SignedOf = () => undefined,
): LedgerVerdict {
  const verdicts = chains.map((chain) => {
    const signed = signedOf(chain.case_id)
    const bad = firstBad(chain) ?? (signed && notAsSigned(chain, signed))
    return {
      case_id: chain.case_id,
      valid: bad === undefined,
      entries: chain.entries.length,
      head: chain.head,
      first_bad: bad ? { case_id: chain.case_id, ...bad } : null,
      signed: signed ? { size: signed.size, at: signed.at, key_id: signed.key_id } : null,
    }
  })
  return {
    // Nothing cannot be valid: an export without chains would prove anything.
    valid: verdicts.length > 0 && verdicts.every((verdict) => verdict.valid),
    entries: verdicts.reduce((sum, verdict) => sum + verdict.entries, 0),
    first_bad: verdicts.find((verdict) => !verdict.valid)?.first_bad ?? null,
    chains: verdicts,
  }
}

type Bad = Omit<BadEntry, 'case_id'>

function firstBad(chain: LedgerChain): Bad | undefined {
  let previous = GENESIS
  for (const [index, entry] of chain.entries.entries()) {
    const reason =
      badLink(entry, index + 1, previous) ?? badDetails(entry, chain) ?? badFacts(entry, chain)
    // The place it should have had: a forged entry may lie about its own.
    if (reason) return { seq: index + 1, reason }
    previous = entry.entry_hash
  }
  return badEnd(chain, previous) ?? unregistered(chain) ?? misplaced(chain)
}

function badLink(entry: StoredEntry, seq: number, previous: string): string | undefined {
  if (entry.seq !== seq) return `seq is ${entry.seq}: an entry is missing or out of order`
  if (entry.prev_hash !== previous) return 'prev_hash is not the hash of the entry before it'
  if (recomputed(entry) !== entry.entry_hash) return 'entry_hash does not fit the content'
  return unknownAction(entry)
}

function recomputed(entry: StoredEntry): string {
  try {
    return entryHash(entry)
  } catch {
    return 'content without a canonical form'
  }
}

/** The chain holds a hash of the details: they must be those, or be gone with a reason. */
function badDetails(entry: StoredEntry, { entries }: LedgerChain): string | undefined {
  if (entry.details_hash == null) {
    return entry.erased_at
      ? 'its details are in the chain itself: they cannot be erased'
      : undefined
  }
  if (entry.erased_at) {
    if (Object.keys(entry.details).length > 0) return 'its details were erased, and it has others'
    const isRecorded = entries.some((e) => e.action === 'erased' && e.details.seq === entry.seq)
    return isRecorded ? undefined : 'its details were erased, and no entry says so'
  }
  const fits = entry.salt != null && detailsHash(entry.salt, entry.details) === entry.details_hash
  return fits ? undefined : 'details do not fit the hash that was sealed'
}

/** Whoever owns the database can seal a chain anew, and its recorded end; not what was signed. */
function notAsSigned(chain: LedgerChain, { size, head, at }: SignedHead): Bad | undefined {
  const entry = chain.entries[size - 1]
  if (!entry) {
    return { seq: chain.entries.length + 1, reason: `missing: ${size} were signed at ${at}` }
  }
  if (entry.entry_hash === head) return undefined
  return { seq: size, reason: `not what was signed at ${at}: it, or one before it, was rewritten` }
}

const ERASED = { name: '[erased]', storage_url: null }

/** The first entry of a piece states name, digest and place: its record must still say the same. */
function badFacts(entry: StoredEntry, chain: LedgerChain): string | undefined {
  if (entry.action !== 'registered') return undefined
  const evidence = chain.evidence.find(({ id }) => id === entry.evidence_id)
  if (!evidence) return `evidence ${entry.evidence_id} is missing`
  const facts = { ...registeredFacts(evidence), case_id: chain.case_id }
  const stated: Record<string, unknown> = entry.erased_at ? { ...facts, ...ERASED } : entry.details
  const changed = Object.entries(facts).find(([name, value]) => stated[name] !== value)
  const name = evidence.registered_by === entry.actor ? changed?.[0] : 'registered_by'
  return name && `${name} of evidence ${evidence.id} is not what was registered`
}

// Entries cut off the end leave a chain that fits: only the head kept with the case tells.
function badEnd(chain: LedgerChain, last: string): Bad | undefined {
  const seq = chain.entries.length
  if (chain.length > seq) return { seq: seq + 1, reason: `missing: ${chain.length} were recorded` }
  if (chain.length < seq) return { seq: chain.length + 1, reason: 'was not recorded by the case' }
  if (chain.head !== last) return { seq, reason: 'entry_hash is not the recorded head' }
  return undefined
}

function unregistered(chain: LedgerChain): Bad | undefined {
  const known = new Set(
    chain.entries.filter((entry) => entry.action === 'registered').map((e) => e.evidence_id),
  )
  const stray = chain.evidence.find((evidence: ExportedEvidence) => !known.has(evidence.id))
  return stray && { seq: chain.entries.length, reason: `evidence ${stray.id} was never registered` }
}

/** A piece is where its last entry with a place has it; of one with erased entries, where any has it. */
function misplaced(chain: LedgerChain): Bad | undefined {
  const entries = Map.groupBy(chain.entries, (entry) => entry.evidence_id)
  for (const { id, location } of chain.evidence) {
    const own = entries.get(id) ?? []
    const [first] = own
    const placed = own.filter((entry) => entry.details.location)
    const isAnywhere = !location || placed.some((one) => one.details.location === location)
    if (isAnywhere && own.some((entry) => entry.erased_at)) continue
    // What came along with the registration was before it, and may have been elsewhere.
    const last = placed.findLast((entry) => entry.timestamp !== first?.timestamp)
    const places = last ? [last] : [first, ...placed]
    if (places.some((entry) => (entry?.details.location || null) === (location || null))) continue
    const { seq } = last ?? (first as StoredEntry)
    return { seq, reason: `location of evidence ${id} is not what was last recorded` }
  }
  return undefined
}
