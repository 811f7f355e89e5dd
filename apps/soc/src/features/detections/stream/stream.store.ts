import type { DetectionRule } from '@manara/soc-contract/detections'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { RULE_COLUMNS, toRule } from '../rules/rule-record.ts'
import type { MatchRule } from './rule-set.ts'

type Db = Kysely<Tables>

/** Of every rule that is on, its version and since when: cheap to ask often. */
export async function enabledVersions(db: Db) {
  const rows = await db
    .selectFrom('detection_rules')
    .select(['id', 'version', 'updated_at'])
    .where('enabled', '=', true)
    .execute()
  return new Map(
    rows.map(({ id, version, updated_at }) => [id, { version, since: updated_at.getTime() }]),
  )
}

export async function matchRules(db: Db, ids: string[]): Promise<MatchRule[]> {
  return db
    .selectFrom('detection_rules')
    .select([
      'id',
      'query',
      'source',
      'host',
      'match_severity',
      'kind',
      'threshold',
      'new_terms',
      'sequence',
    ])
    .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .execute()
}

/** In the order of their ids, as hits are to be recorded; those that were switched off are left out. */
export async function enabledRulesOf(db: Db, ids: string[]): Promise<DetectionRule[]> {
  const rows = await db
    .selectFrom('detection_rules')
    .select(RULE_COLUMNS)
    .where('enabled', '=', true)
    .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .orderBy('id')
    .execute()
  return rows.map(toRule)
}

/** Everything that arrived before has been looked at; undefined before the first time. */
export async function readCheckpoint(db: Db, stream: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('detection_streams')
    .select('received_until')
    .where('stream', '=', stream)
    .executeTakeFirst()
  return row?.received_until.getTime()
}

export async function saveCheckpoint(
  db: Db,
  stream: string,
  until: number,
  now: number,
): Promise<void> {
  await db
    .insertInto('detection_streams')
    .values({ stream, received_until: new Date(until), seen_at: new Date(now) })
    .onConflict((conflict) =>
      conflict.column('stream').doUpdateSet({
        received_until: (of) => of.ref('excluded.received_until'),
        seen_at: (of) => of.ref('excluded.seen_at'),
      }),
    )
    .execute()
}

/** With no rule on there is nothing to make up for later. */
export async function dropCheckpoint(db: Db, stream: string): Promise<void> {
  await db.deleteFrom('detection_streams').where('stream', '=', stream).execute()
}

/**
 * What streams left that nobody has kept up since `before`: theirs go, and this one begins where the
 * farthest behind of them was, all at once. Answers from where, if there were any.
 */
export async function takeOverStreams(
  db: Db,
  stream: string,
  { before, now }: { before: number; now: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ received_until: Date }>`
    WITH gone AS (
      DELETE FROM detection_streams
      WHERE stream <> ${stream} AND seen_at < ${new Date(before)} RETURNING received_until
    )
    INSERT INTO detection_streams AS own (stream, received_until, seen_at)
    SELECT ${stream}, min(received_until), ${new Date(now)}::timestamptz FROM gone
    HAVING count(*) > 0
    ON CONFLICT (stream) DO UPDATE
      SET received_until = least(own.received_until, excluded.received_until)
    RETURNING received_until`.execute(db)
  return rows[0]?.received_until.getTime()
}
