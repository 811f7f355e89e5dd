import { conflict } from '@manara/kit/errors'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'

type Db = Kysely<Tables>

/** Whoever forwarded nothing for so long forwards no more: nothing is lost from sight without it. */
const FORGOTTEN_MS = 7 * 86_400_000

export async function storeCollectors(db: Db, names: string[], now: Date): Promise<void> {
  await db
    .insertInto('log_collectors')
    .values(names.map((name) => ({ name, first_seen_at: now, last_seen_at: now })))
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ last_seen_at: now }))
    .execute()
}

/**
 * 409 when one of these names, addresses or endpoint ids is a machine that forwards the logs of
 * others, or did lately: whoever cuts it off meant one of those and would lose sight of them all.
 */
export async function refuseCollectors(db: Db, targets: string[]): Promise<void> {
  if (targets.length === 0) return
  const wanted = sql`(SELECT lower(target) FROM unnest(${targets}::text[]) AS target)`
  const found = await db
    .selectFrom('log_collectors')
    .select('name')
    .where('last_seen_at', '>', new Date(Date.now() - FORGOTTEN_MS))
    .where(
      sql<boolean>`name IN ${wanted} OR EXISTS (SELECT FROM edr_endpoints
        WHERE lower(hostname) = name AND (id::text IN ${wanted} OR ips && ${targets}::text[]))`,
    )
    .orderBy('name')
    .limit(1)
    .executeTakeFirst()
  if (found) throw conflict(refusal(found.name))
}

const refusal = (name: string) =>
  `${name} forwards the logs of other machines: name the machine that the event happened on, or isolate this one itself with even_if_collector`
