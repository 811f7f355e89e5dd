import type { Logger } from '@manara/kit/logging'
import type { SignedHead } from '@manara/soc-contract/proofs'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { rootOf, rootOfAll, sizeOf } from './merkle.ts'
import type { openUnsent } from './unsent-heads.ts'
import type { Head, Witness } from './witness.ts'

type Deps = {
  db: Kysely<Tables>
  witness: Witness
  unsent: ReturnType<typeof openUnsent>
  log: Logger
  /** Between two heads of the audit log that are kept for good. */
  intervalMs: number
  now(): Date
}

type Ledger = { id: string; ledger_length: number; ledger_head: string }

export const evidenceChain = (caseId: string) => `evidence/${caseId}`

/** Signs how far the chains have come; a chain that is not what was signed before is not signed again. */
export function createAnchorHeads({ db, witness, unsent, log, intervalMs, now }: Deps) {
  /** Ledgers that grew in this transaction or in a later one were not looked at yet. */
  let readFrom: string | undefined
  /** Looked at and not signed. */
  const unsigned = new Set<string>()
  /** Heads that do not fit, and were told of: they are looked at every second. */
  const refused = new Map<string, string>()
  /** The head of the audit log that was kept for good last, since the start. */
  let kept = { at: 0, size: 0 }

  async function attest(head: Head, { lasting }: { lasting: boolean }) {
    if (lasting) await unsent.add(head.chain)
    await witness.attest(head, { lasting })
    refused.delete(head.chain)
  }

  async function attestAudit() {
    const row = await db.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow()
    const frontier = row.frontier ?? []
    const size = Number(row.seq)
    const before = witness.latest('audit')
    const signed = before?.size ?? 0
    if (size === 0 || size < signed || sizeOf(frontier) !== size) return
    const at = now().getTime()
    const lasting = at - kept.at >= intervalMs
    // What came last before nothing more comes is kept as well, once its time is there.
    if (size === signed && (!lasting || size === kept.size)) return
    if (before && !(await continuesAudit(db, before))) return refuse(before)
    const head = { chain: 'audit', size, head: row.entry_hash, root: rootOf(frontier) }
    await attest(head, { lasting })
    if (lasting) kept = { at, size }
  }

  async function attestEvidence() {
    const oldest = await oldestOpen(db)
    // The counter of another database, or of one from a backup: all are looked at anew.
    if (readFrom !== undefined && BigInt(oldest) < BigInt(readFrom)) readFrom = undefined
    const grown =
      readFrom === undefined
        ? sql<boolean>`ledger_length > 0`
        : sql<boolean>`(ledger_xid >= ${readFrom}::xid8 OR id = ANY(${[...unsigned]}::uuid[]))`
    const rows = await db
      .selectFrom('cases')
      .select(['id', 'ledger_length', 'ledger_head'])
      .where(grown)
      .execute()
    for (const row of rows) {
      unsigned.add(row.id)
      if (await attestLedger(row)) unsigned.delete(row.id)
    }
    readFrom = oldest
  }

  /** False for one that is not whole, or not what was signed before. */
  async function attestLedger(row: Ledger): Promise<boolean> {
    const { id, ledger_length: size, ledger_head: head } = row
    const chain = evidenceChain(id)
    const before = witness.latest(chain)
    if (size <= (before?.size ?? 0)) return true
    const hashes = await ledgerHashes(db, id, size)
    if (hashes.length !== size || hashes.at(-1) !== head) return false
    if (before && hashes[before.size - 1] !== before.head) {
      refuse(before)
      return false
    }
    await attest({ chain, size, head, root: rootOfAll(hashes) }, { lasting: true })
    return true
  }

  function refuse({ chain, size, at, head }: SignedHead) {
    if (refused.get(chain) === head) return
    refused.set(chain, head)
    log.error(
      { chain, size, signed_at: at },
      'a chain is not what was signed before: it is not signed again, verify it',
    )
  }

  async function send() {
    for (const [anchor, waiting] of unsent.waiting) {
      const taken: string[] = []
      for (const chain of waiting) {
        const head = witness.latest(chain)
        try {
          const answer = head && (await anchor.publish(head))
          if (answer) await witness.note(answer)
          taken.push(chain)
        } catch (error) {
          log.warn({ err: error, anchor: anchor.name }, 'a signed head was not taken: trying again')
          break
        }
      }
      await unsent.remove(anchor, taken)
    }
  }

  return async (): Promise<boolean> => {
    await attestAudit()
    await attestEvidence()
    await send()
    return false
  }
}

/** Those that are open now may commit later: the next look begins with the oldest of them. */
async function oldestOpen(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ oldest: string }>`
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest`.execute(db)
  return rows[0]?.oldest ?? '0'
}

async function continuesAudit(db: Kysely<Tables>, { size, head }: SignedHead): Promise<boolean> {
  const row = await db
    .selectFrom('audit_log')
    .select('entry_hash')
    .where('seq', '=', String(size))
    .executeTakeFirst()
  return row?.entry_hash === head
}

async function ledgerHashes(db: Kysely<Tables>, caseId: string, size: number): Promise<string[]> {
  const rows = await db
    .selectFrom('evidence_ledger')
    .select('entry_hash')
    .where('case_id', '=', sql<string>`${caseId}::uuid`)
    .where('seq', '<=', size)
    .orderBy('seq')
    .execute()
  return rows.map(({ entry_hash }) => entry_hash)
}
