import { type Kysely, sql } from 'kysely'
import { isHidden, withoutHidden } from '../../../core/access/reader.ts'
import type { Tables } from '../../../db/tables.ts'

export const mergedNote = ({ id, title }: { id: string; title: string }) =>
  `case ${id} merged: ${title}`

const MERGED = /^case (\S+) merged: /

/** As the reader may know it: it was written by somebody who may have read more. */
export async function timelineOf(db: Kysely<Tables>, caseIds: string[], latest?: number) {
  const rows = await db
    .selectFrom('case_timeline')
    .select(['agent', 'action', 'timestamp'])
    .where('case_id', '=', sql<string>`ANY(${caseIds}::uuid[])`)
    .orderBy('timestamp', 'desc')
    .orderBy('id', 'desc')
    .$if(latest !== undefined, (query) => query.limit(latest ?? 0))
    .execute()
  return rows.toReversed().map(({ agent, action, timestamp }) => ({
    agent,
    action: isHidden(MERGED.exec(action)?.[1]) ? 'another case merged' : withoutHidden(action),
    timestamp: timestamp.toISOString(),
  }))
}
