import type {
  Custody,
  EarlierCustody,
  Evidence,
  EvidenceCreate,
  LedgerEntry,
} from '@manara/soc-contract/evidence'

type Step = Pick<LedgerEntry, 'action' | 'details'>

/** What the registration states for good. The location is not among it: evidence moves. */
export function registeredFacts(
  evidence: Pick<Evidence, 'name' | 'evidence_type' | 'storage_url' | 'sha256'>,
) {
  const { name, evidence_type, storage_url, sha256 } = evidence
  return { name, evidence_type, storage_url, sha256 }
}

/**
 * The first links of a new piece: its registration, then the custody it had before. A caller who
 * lists `registered` as the first of those means the same registration.
 */
export function openingSteps(caseId: string, evidence: EvidenceCreate): Step[] {
  const [first, ...later] = evidence.custody_entries
  const ownRegistration = first?.action === 'registered'
  const facts = registeredFacts({
    ...evidence,
    storage_url: evidence.storage_url ?? null,
    sha256: evidence.sha256.toLowerCase(),
  })
  const details = {
    ...(ownRegistration ? custodyDetails(first) : {}),
    ...facts,
    case_id: caseId,
    location: evidence.location ?? null,
  }
  const earlier = first && !ownRegistration ? [first, ...later] : later
  return [
    { action: 'registered', details },
    ...earlier.map((entry) => ({ action: entry.action, details: custodyDetails(entry) })),
  ]
}

/** The body without its action and without what was left empty. */
export function custodyDetails({ action: _, ...stated }: Custody | EarlierCustody) {
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value != null))
}
