import { notFound } from '@manara/kit/errors'
import type { ListOf } from '@manara/soc-contract/lists'
import type { Execution, ExecutionListQuery } from '@manara/soc-contract/playbooks'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { areReadable, isReadable } from '../../../core/access/reader.ts'
import { inTime } from '../../../db/keyset.ts'
import { readPage } from '../../../db/page.ts'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'
import { type ExecutionRow, type StepRow, toExecution } from './execution-record.ts'

type Db = Kysely<Tables>

/** It is about a case, or has worked with some that it names. */
const readable = () => sql<boolean>`${isReadable('case_id')} AND ${areReadable('cases_named')}`

export async function executionById(db: Db, id: string): Promise<Execution> {
  const row = isRecordId(id)
    ? await db
        .selectFrom('executions')
        .selectAll()
        .where('id', '=', id)
        .where(readable())
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('execution', id)
  return toExecution(row, await stepsOf(db, row.id))
}

/** With its steps; nobody else changes it until the transaction ends. */
export async function lockExecution(
  tx: Db,
  id: string,
): Promise<{ row: ExecutionRow; steps: StepRow[] }> {
  const row = isRecordId(id)
    ? await tx
        .selectFrom('executions')
        .selectAll()
        .where('id', '=', id)
        .where(readable())
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('execution', id)
  return { row, steps: await stepsOf(tx, row.id) }
}

export async function stepsOf(db: Db, executionId: string): Promise<StepRow[]> {
  return (await stepsByExecution(db, [executionId])).get(executionId) ?? []
}

async function stepsByExecution(db: Db, ids: string[]) {
  const rows = await db
    .selectFrom('execution_steps')
    .selectAll()
    .where('execution_id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .orderBy('position')
    .execute()
  return Map.groupBy(rows, (row) => row.execution_id)
}

export async function listExecutions(
  db: Db,
  query: ExecutionListQuery,
): Promise<ListOf<Execution>> {
  const listed = db
    .selectFrom('executions')
    .selectAll()
    .where(sql.join<boolean>([...conditionsOf(query)], sql` AND `))
  const page = await readPage(query, inTime('created_at', query.order), listed, (row) => row)
  const steps = await stepsByExecution(
    db,
    page.items.map(({ id }) => id),
  )
  return { ...page, items: page.items.map((row) => toExecution(row, steps.get(row.id) ?? [])) }
}

function* conditionsOf(query: ExecutionListQuery): Iterable<RawBuilder<boolean>> {
  yield readable()
  if (query.status !== undefined) yield sql`status = ${query.status}`
  if (query.playbook_id !== undefined) yield sql`playbook_id = ${query.playbook_id}`
  for (const name of ['alert_id', 'case_id'] as const) {
    const id = query[name]
    if (id !== undefined) yield isRecordId(id) ? sql`${sql.ref(name)} = ${id}` : sql`false`
  }
}
