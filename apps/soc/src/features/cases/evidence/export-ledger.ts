import { conflict, notFound } from '@manara/kit/errors'
import {
  LEDGER_FORMAT,
  type LedgerChain,
  type LedgerExport,
  type LedgerVerdict,
} from '@manara/soc-contract/evidence'
import type { EntryProof, SignedHead } from '@manara/soc-contract/proofs'
import type { Kysely } from 'kysely'
import { evidenceChain } from '../../../core/proofs/anchor-heads.ts'
import { inclusionPath } from '../../../core/proofs/merkle.ts'
import type { Witness } from '../../../core/proofs/witness.ts'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'
import { verifyChains } from '../domain/chain-verdict.ts'
import { isInDatabase, readLedger } from './read-ledger.ts'

type Db = Kysely<Tables>

/** What the chains are worth beside what was signed: nothing where that cannot be relied on itself. */
export function judged(witness: Witness, chains: LedgerChain[]): LedgerVerdict {
  const verdict = verifyChains(chains, (caseId) => witness.latest(evidenceChain(caseId)))
  const reason = witness.problem()
  if (reason === undefined) return verdict
  const unsure = chains.slice(0, 1).map(({ case_id }) => ({ case_id, seq: 0, reason }))
  return { ...verdict, valid: false, first_bad: verdict.first_bad ?? unsure[0] ?? null }
}

/** Recomputes the chains; one that is gone from the database although it was signed is told as that. */
export async function verifyLedger(
  db: Db,
  witness: Witness,
  caseId: string,
): Promise<LedgerVerdict> {
  const signed = isRecordId(caseId) ? witness.latest(evidenceChain(caseId)) : undefined
  if (signed && !(await isInDatabase(db, caseId))) return gone(caseId, signed)
  return judged(witness, await readLedger(db, caseId))
}

function gone(caseId: string, { size, at, head, key_id }: SignedHead): LedgerVerdict {
  const first_bad = {
    case_id: caseId,
    seq: 1,
    reason: `the case is gone from the database: ${size} entries were signed at ${at}`,
  }
  const signed = { size, at, key_id }
  const chain = { case_id: caseId, valid: false, entries: 0, head, first_bad, signed }
  return { valid: false, entries: 0, first_bad, chains: [chain] }
}

/** One file, signed with its case and the list of its chains. */
export async function exportLedger(
  db: Db,
  witness: Witness,
  caseId: string,
  { by, now }: { by: string; now: Date },
): Promise<LedgerExport> {
  const chains = await readLedger(db, caseId)
  const { valid, first_bad } = judged(witness, chains)
  return witness.sign({
    format: LEDGER_FORMAT,
    case_id: chains[0]?.case_id ?? caseId,
    exported_at: now.toISOString(),
    exported_by: by,
    chain_ids: chains.map(({ case_id }) => case_id),
    verdict: { valid, first_bad },
    heads: chains.flatMap(({ case_id }) => witness.latest(evidenceChain(case_id)) ?? []),
    chains,
  })
}

/** One entry of the case's own chain, to be shown without the others. */
export async function proveLedgerEntry(
  db: Db,
  witness: Witness,
  caseId: string,
  seq: string,
): Promise<EntryProof> {
  const [chain] = await readLedger(db, caseId)
  const entry = chain?.entries.find((one) => String(one.seq) === seq)
  if (!chain || !entry) throw notFound('ledger entry', seq)
  const head = witness.latest(evidenceChain(chain.case_id))
  if (!head || entry.seq > head.size) {
    throw conflict(`ledger entry ${seq} is not signed yet: ask again in a few seconds`)
  }
  const hashes = chain.entries.slice(0, head.size).map(({ entry_hash }) => entry_hash)
  const index = entry.seq - 1
  return { entry_hash: entry.entry_hash, index, path: inclusionPath(hashes, index), head }
}
