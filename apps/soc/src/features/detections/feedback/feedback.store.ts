import { randomUUIDv7 } from 'node:crypto'
import { notFound } from '@manara/kit/errors'
import type { ListOf } from '@manara/soc-contract/lists'
import type {
  Feedback,
  FeedbackCreate,
  FeedbackListQuery,
} from '@manara/soc-contract/rule-feedback'
import { type Kysely, type Selectable, sql } from 'kysely'
import { isReadable, namesNoHidden } from '../../../core/access/reader.ts'
import { inTime } from '../../../db/keyset.ts'
import { readPage } from '../../../db/page.ts'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'

type Db = Kysely<Tables>

export async function insertFeedback(
  tx: Db,
  body: FeedbackCreate & { rule_id: string; created_by: string },
): Promise<Feedback> {
  const row = await tx
    .insertInto('detection_feedback')
    .values({ ...body, id: randomUUIDv7(), metadata: JSON.stringify(body.metadata) })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toFeedback(row)
}

/** What it is about, which is there and may be read; an event may be gone with retention. */
export async function namedBy(tx: Db, { alert_id, case_id }: FeedbackCreate) {
  return {
    alert_id: alert_id ? await idOf(tx, 'alert', alert_id) : null,
    case_id: case_id ? await idOf(tx, 'case', case_id) : null,
  }
}

async function idOf(tx: Db, what: 'alert' | 'case', asked: string): Promise<string> {
  const isThere = what === 'case' ? sql<boolean>`deleted_at IS NULL AND ${isReadable('id')}` : TRUE
  const row = isRecordId(asked)
    ? await tx
        .selectFrom(`${what}s`)
        .select('id')
        .where('id', '=', asked)
        .where(isThere)
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound(what, asked)
  return row.id
}

const TRUE = sql<boolean>`true`

export async function listFeedback(
  db: Db,
  ruleId: string,
  query: FeedbackListQuery,
): Promise<ListOf<Feedback>> {
  const sort = inTime('created_at', query.order)
  const listed = db
    .selectFrom('detection_feedback')
    .where('rule_id', '=', ruleId)
    .where(query.verdict ? sql<boolean>`verdict = ${query.verdict}` : sql<boolean>`true`)
    .where(namesNoHidden('case_id', 'notes'))
  return readPage(query, sort, listed.selectAll(), toFeedback)
}

const toFeedback = (row: Selectable<Tables['detection_feedback']>): Feedback => ({
  ...row,
  created_at: row.created_at.toISOString(),
})
