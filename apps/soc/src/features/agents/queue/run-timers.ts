import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { type Agents, entriesOf } from './agent-work.ts'
import { enqueueJobs } from './enqueue-jobs.ts'

/**
 * Asks for the jobs whose time has come, once for all processes. An agent that is still at the last
 * one is not asked for another.
 */
export async function runTimers(db: Kysely<Tables>, agents: Agents): Promise<boolean> {
  const timed = entriesOf(agents).flatMap(([id, { everyMs }]) =>
    everyMs === undefined ? [] : [{ id, everyMs }],
  )
  const due = await db
    .selectFrom('agents')
    .select('id')
    .where('id', '=', sql<string>`ANY(${timed.map(({ id }) => id)}::text[])`)
    .where('enabled', '=', true)
    .where('due_at', '<=', sql<Date>`now()`)
    .execute()
  if (due.length === 0) return false
  await db.transaction().execute(async (tx) => {
    for (const { id, everyMs } of timed.filter((one) => due.some(({ id }) => id === one.id))) {
      const { rows } = await sql<{ at: Date; is_busy: boolean }>`
        UPDATE agents SET due_at = now() + ${everyMs} * interval '1 millisecond'
        WHERE id = ${id} AND enabled AND due_at <= now()
        RETURNING now() AS at, EXISTS (SELECT FROM agent_jobs WHERE agent_id = ${id}
          AND status IN ('pending', 'running') AND starts_with(key, 'timer:')) AS is_busy`.execute(
        tx,
      )
      const [asked] = rows
      if (!asked || asked.is_busy) continue
      const key = `timer:${asked.at.toISOString()}`
      await enqueueJobs(tx, [{ agent: id, key, input: {}, priority: 2 }])
    }
  })
  return false
}
