import { createHash, randomUUIDv7 } from 'node:crypto'
import { notFound } from '@manara/kit/errors'
import type { ListOf } from '@manara/soc-contract/lists'
import type { Report, ReportListQuery } from '@manara/soc-contract/reports'
import { type Kysely, type Selectable, sql } from 'kysely'
import { isReadable } from '../../core/access/reader.ts'
import { inTime } from '../../db/keyset.ts'
import { readPage } from '../../db/page.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'

type Db = Kysely<Tables>
type ReportRow = Selectable<Tables['reports']>
const SUMMARY = [
  'id',
  'report_type',
  'format',
  'case_id',
  'title',
  'sha256',
  'created_by',
  'created_at',
] as const

type Summary = Pick<ReportRow, (typeof SUMMARY)[number]>

export async function insertReport(
  tx: Db,
  report: Pick<
    ReportRow,
    'report_type' | 'format' | 'case_id' | 'title' | 'content' | 'created_by'
  >,
): Promise<Report> {
  const row = await tx
    .insertInto('reports')
    .values({
      ...report,
      id: randomUUIDv7(),
      sha256: createHash('sha256').update(report.content).digest('hex'),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toReport(row, row.content)
}

export async function reportById(db: Db, id: string): Promise<ReportRow> {
  const row = isRecordId(id)
    ? await db
        .selectFrom('reports')
        .selectAll()
        .where('id', '=', id)
        .where(isReadable('case_id'))
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('report', id)
  return row
}

export async function listReports(db: Db, query: ReportListQuery): Promise<ListOf<Report>> {
  let matching = db.selectFrom('reports').where(isReadable('case_id'))
  for (const name of ['report_type', 'format'] as const) {
    const value = query[name]
    if (value !== undefined) matching = matching.where(name, '=', value)
  }
  if (query.case_id !== undefined) {
    const { case_id } = query
    matching = matching.where(
      isRecordId(case_id) ? sql<boolean>`case_id = ${case_id}` : sql<boolean>`false`,
    )
  }
  return readPage(query, inTime('created_at', query.order), matching.select(SUMMARY), (row) =>
    toReport(row, null),
  )
}

export function toReport(row: Summary, content: Buffer | null): Report {
  const encoding = row.format === 'pdf' ? 'base64' : 'utf-8'
  return {
    id: row.id,
    report_type: row.report_type,
    format: row.format,
    status: 'completed',
    case_id: row.case_id,
    title: row.title,
    content: content?.toString(encoding) ?? null,
    content_encoding: encoding,
    sha256: row.sha256,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
  }
}
