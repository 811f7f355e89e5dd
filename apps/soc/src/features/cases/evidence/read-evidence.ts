import type { CaseDetailQuery } from '@manara/soc-contract/cases'
import type { Evidence, StoredEntry } from '@manara/soc-contract/evidence'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { mentions } from '../../../showcase/query.ts'
import { toEvidence } from '../cases/case-record.ts'
import { unknownAction } from '../domain/ledger.ts'
import { partsOf } from '../parts/read-parts.ts'

type Db = Kysely<Tables>
type EvidenceRow = Selectable<Tables['evidence']>

/** Each piece with its own links of the chain. */
export async function evidenceOf(
  db: Db,
  caseIds: string[],
  { latest, custody }: CaseDetailQuery = {},
): Promise<Evidence[]> {
  return withCustody(db, await partsOf(db, 'evidence', caseIds, latest), custody)
}

export async function withCustody(
  db: Db,
  rows: EvidenceRow[],
  custody?: 'count',
): Promise<Evidence[]> {
  if (custody === 'count') return withCount(db, rows)
  const caseIds = [...new Set(rows.map((row) => row.case_id))]
  const entries = await ledgerOf(
    db,
    caseIds,
    sql<boolean>`evidence_id = ANY(${rows.map(({ id }) => id)})`,
  )
  const byEvidence = Map.groupBy(entries, ({ entry }) => entry.evidence_id)
  return rows.map((row) => {
    const own = byEvidence.get(row.id)?.map(({ entry }) => entry) ?? []
    return { ...toEvidence(row, own), custody_entries: own.map(withProblem) }
  })
}

type Counted = Pick<StoredEntry, 'evidence_id' | 'action' | 'timestamp'> & { entries: number }

async function withCount(db: Db, rows: EvidenceRow[]): Promise<Evidence[]> {
  const { rows: counted } = await sql<Counted>`
    SELECT evidence_id, 'registered' AS action, count(*)::int AS entries,
      (array_agg(timestamp ORDER BY seq) FILTER (WHERE action = 'registered'))[1] AS timestamp
    FROM evidence_ledger
    WHERE case_id = ANY(${rows.map((row) => row.case_id)}::uuid[])
      AND evidence_id = ANY(${rows.map(({ id }) => id)})
    GROUP BY 1`.execute(db)
  const byEvidence = new Map(counted.map((one) => [one.evidence_id, one]))
  return rows.map((row) => {
    const own = byEvidence.get(row.id)
    const custody_count = own?.entries ?? 0
    return { ...toEvidence(row, own ? [own] : []), custody_entries: [], custody_count }
  })
}

/** The whole chain is for `verify`; this alone is told where the entries are shown. */
function withProblem(entry: StoredEntry): StoredEntry {
  const problem = unknownAction(entry)
  return problem ? { ...entry, problem } : entry
}

export async function ledgerOf(db: Db, caseIds: string[], which = sql<boolean>`TRUE`) {
  const rows = await db
    .selectFrom('evidence_ledger')
    .selectAll()
    .where('case_id', '=', sql<string>`ANY(${caseIds}::uuid[])`)
    .where(which)
    .orderBy('case_id')
    .orderBy('seq')
    .execute()
  return rows.map(({ case_id, erased_at, ...row }) => ({
    case_id,
    entry: {
      ...row,
      ...(erased_at ? { erased_at: erased_at.toISOString() } : {}),
    } satisfies StoredEntry,
  }))
}

/** Pieces whose id, name, type, hash or location has this in it. */
export const evidenceWith = (q: string | undefined) =>
  q === undefined
    ? sql`TRUE`
    : sql`position(lower(${q}) IN lower(concat_ws(' ', id, name, evidence_type, sha256, location))) > 0`

export const isEvidenceWith =
  (q: string | undefined) =>
  ({ id, name, evidence_type, sha256, location }: Evidence): boolean =>
    mentions([id, name, evidence_type, sha256, location].join(' '), q)
