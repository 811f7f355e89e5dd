import { startTurns } from '@manara/kit/turns'
import type { AuditVerdict } from '@manara/soc-contract/audit'
import type { SignedHead } from '@manara/soc-contract/proofs'
import type { Kysely } from 'kysely'
import { type AuditRow, detailsHash, entryHash, FIRST_HASH } from '../../core/audit/chain.ts'
import { type Frontier, grow, rootOf } from '../../core/proofs/merkle.ts'
import type { Witness } from '../../core/proofs/witness.ts'
import type { Tables } from '../../db/tables.ts'

const BATCH = 2_000

type Broken = NonNullable<AuditVerdict['broken_at']>
type Walk = {
  seq: number
  hash: string
  frontier: Frontier
  /** Rows whose details are gone, and the entries that say so. */
  erased: Map<string, number>
  erasures: Set<string>
}

/**
 * Recomputes the chain from its first entry. The head is read first: what is sealed meanwhile is not
 * part of this answer, and entries cut off the end are missed against it. What was signed outside
 * the database must be in it, too: whoever owns the database can recompute all the rest.
 */
export async function verifyAudit(
  db: Kysely<Tables>,
  witness: Pick<Witness, 'latest' | 'problem'>,
): Promise<AuditVerdict> {
  const signed = witness.latest('audit')
  const head = await db
    .selectFrom('audit_head')
    .select(['seq', 'entry_hash'])
    .executeTakeFirstOrThrow()
  const { unsealed } = await db
    .selectFrom('audit_log')
    .select((count) => count.fn.countAll<string>().as('unsealed'))
    .where('seq', 'is', null)
    .executeTakeFirstOrThrow()
  const walk: Walk = {
    ...{ seq: 0, hash: FIRST_HASH, frontier: [] },
    ...{ erased: new Map(), erasures: new Set() },
  }
  const broken =
    (await firstBroken(db, walk, Number(head.seq), signed)) ??
    badEnd(walk, head.entry_hash, signed) ??
    silentlyErased(walk, await laterErasures(db, head.seq)) ??
    untrustworthy(witness.problem())
  return {
    valid: broken === undefined,
    sealed: Number(head.seq),
    unsealed: Number(unsealed),
    head_hash: head.entry_hash,
    signed: signed ? { size: signed.size, at: signed.at, key_id: signed.key_id } : null,
    erased: walk.erased.size,
    broken_at: broken ?? null,
  }
}

async function firstBroken(
  db: Kysely<Tables>,
  walk: Walk,
  headSeq: number,
  signed: SignedHead | undefined,
): Promise<Broken | undefined> {
  const turn = startTurns()
  while (walk.seq < headSeq) {
    const rows = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('seq', '>', String(walk.seq))
      .where('seq', '<=', String(headSeq))
      .orderBy('seq')
      .limit(BATCH)
      .execute()
    if (rows.length === 0) return { seq: walk.seq + 1, id: null, reason: 'the entry is missing' }
    for (const row of rows) {
      await turn()
      const broken = checkEntry(row, walk.seq + 1, walk.hash)
      if (broken) return broken
      take(walk, row)
      const rewritten = signed?.size === walk.seq ? notAsSigned(walk, signed) : undefined
      if (rewritten) return rewritten
    }
  }
  return undefined
}

function take(walk: Walk, row: AuditRow) {
  walk.seq += 1
  walk.hash = row.entry_hash ?? ''
  walk.frontier = grow(walk.frontier, walk.hash)
  if (row.erased_at) walk.erased.set(row.id, walk.seq)
  if (row.action === 'audit.erase') walk.erasures.add(erasedId(row.target))
}

function notAsSigned(walk: Walk, { head, root, at }: SignedHead): Broken | undefined {
  if (walk.hash === head && rootOf(walk.frontier) === root) return undefined
  const reason = `not what was signed at ${at}: it, or one before it, was rewritten`
  return { seq: walk.seq, id: null, reason }
}

function badEnd(
  { seq, hash }: Walk,
  headHash: string,
  signed: SignedHead | undefined,
): Broken | undefined {
  if (signed && seq < signed.size) {
    const reason = `the entry is missing: ${signed.size} were signed at ${signed.at}`
    return { seq: seq + 1, id: null, reason }
  }
  if (hash === headHash) return undefined
  return { seq, id: null, reason: 'the chain does not end with the hash that was kept for it' }
}

/** An entry that says so may be of a moment ago. */
async function laterErasures(db: Kysely<Tables>, headSeq: string): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select('target')
    .where((row) => row.or([row('seq', 'is', null), row('seq', '>', headSeq)]))
    .where('action', '=', 'audit.erase')
    .execute()
  return rows.map(({ target }) => erasedId(target))
}

const erasedId = (target: string) => target.replace(/^audit:/, '')

function silentlyErased({ erased, erasures }: Walk, recent: string[]): Broken | undefined {
  for (const [id, seq] of erased) {
    if (!erasures.has(id) && !recent.includes(id)) {
      return { seq, id, reason: 'its details were erased, and no entry says so' }
    }
  }
  return undefined
}

const untrustworthy = (problem: string | undefined): Broken | undefined =>
  problem === undefined ? undefined : { seq: 0, id: null, reason: problem }

function checkEntry(row: AuditRow, seq: number, prevHash: string): Broken | undefined {
  if (Number(row.seq) !== seq) return { seq, id: null, reason: 'the entry is missing' }
  if (row.prev_hash !== prevHash) {
    return { seq, id: row.id, reason: 'it does not follow the entry before it' }
  }
  const isCommitted =
    row.details_hash === null ||
    (row.erased_at === null ? detailsHash(row) === row.details_hash : isEmptied(row))
  if (!isCommitted || row.entry_hash !== entryHash(row, row.details_hash, String(seq), prevHash)) {
    return { seq, id: row.id, reason: 'its content is not what was sealed' }
  }
  return undefined
}

/** What was erased says nothing: what stands there now was written afterwards. */
const isEmptied = ({ salt, detail, before, after, address }: AuditRow) =>
  [salt, detail, before, after, address].every((value) => value === null)
