import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { ChangeContext, Changes } from '../change/operator-change.ts'

const PAGE = 500

export type FollowedEvent = { seq: string; event: string; data: object }

/**
 * Hands over the events that came since the last look, each once however many processes there are:
 * how far the look got (`head`, a table of one row) is moved in the same transaction as what is made
 * of the events. True when there is more.
 */
export async function followEvents(
  { db, internalWorkflow }: { db: Kysely<Tables> } & Pick<Changes, 'internalWorkflow'>,
  head: 'playbook_trigger_head' | 'agent_event_head',
  work: (change: ChangeContext, events: FollowedEvent[]) => Promise<void>,
): Promise<boolean> {
  const unseen = await db
    .selectFrom('outbox')
    .select('seq')
    .where('seq', '>', sql<string>`(SELECT seq FROM ${sql.table(head)})`)
    // Without an order PostgreSQL expects to find one soon, and reads all that were seen before.
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!unseen) return false
  return internalWorkflow(async (change) => {
    const held = await change.tx
      .selectFrom(head)
      .select('seq')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!held) return false
    const rows = await change.tx
      .selectFrom('outbox')
      .select(['seq', 'event', 'data'])
      .where('seq', '>', held.seq)
      .orderBy('seq')
      .limit(PAGE)
      .execute()
    const last = rows.at(-1)
    if (!last?.seq) return false
    await work(
      change,
      rows.map(({ seq, ...row }) => ({ ...row, seq: seq as string })),
    )
    await change.tx.updateTable(head).set({ seq: last.seq }).execute()
    return rows.length === PAGE
  })
}
