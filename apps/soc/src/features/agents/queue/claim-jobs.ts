import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { HOURLY } from '../registry/catalogue.ts'
import type { Job } from './agent-work.ts'

type Db = Kysely<Tables>

/** From so many waiting jobs on, those of one host and user are worked together. */
export const STORM = 100
const MOST_JOINED = 200
/** As migration 270 allows them, from 0 on. */
const MOST_URGENT = 4
/** Then the oldest comes first, whatever is more urgent: none waits over ten minutes. */
const PATIENCE = sql`interval '8 minutes'`
const PROBE = sql`interval '5 minutes'`

export type Claimant = {
  owner: string
  /** This process's data directory: what a predecessor there held is free at once. */
  instance: string
  leaseMs: number
  /** What runs here is not abandoned, however late a machine that slept is with its lease. */
  underWay(): string[]
}

export type Claimed = Job & { agentId: string; lookedUntil: Date | null }

/** A job that nobody works on any more: its lease is over, or its process was ours before. */
const isAbandoned = ({ owner, instance, underWay }: Claimant) => sql<boolean>`
  (id <> ALL(${underWay()}::uuid[]) AND (lease_until <= now()
    OR (starts_with(owner, ${`${instance}/`}) AND owner <> ${owner})))`

const IS_DUE = sql<boolean>`status = 'pending' AND run_at <= now()`
/** As agent_jobs_due has them: without it, one that is not there is looked for among all jobs. */
const IN_TURN = sql`ORDER BY priority DESC, run_at, id`

/** Agents that have something to do; most often there are none. */
export async function agentsWithWork(db: Db, claimant: Claimant): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM agents WHERE enabled AND instances > 0
      AND (failing_since IS NULL OR probe_at <= now())
      AND ((SELECT true FROM agent_jobs WHERE agent_id = agents.id AND ${IS_DUE} ${IN_TURN} LIMIT 1)
        OR EXISTS (SELECT FROM agent_jobs WHERE agent_id = agents.id AND status = 'running'
          AND ${isAbandoned(claimant)})
        OR (failing_since IS NOT NULL AND EXISTS (SELECT FROM agent_jobs
          WHERE agent_id = agents.id AND status = 'failed')))
      AND NOT (SELECT is_paused FROM agent_pause)
      AND NOT EXISTS (SELECT FROM agent_hours WHERE agent_id = agents.id
        AND hour = date_trunc('hour', now()) AND (events >= ${HOURLY.events}
          OR queries >= ${HOURLY.queries} OR ms >= ${HOURLY.ms}))
    ORDER BY id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * At most `room` jobs of the agent, and no more than it has instances free over all processes. The
 * agent's row is locked by a statement of its own: only a later one sees what the holder before
 * had claimed.
 */
export function claimJobs(
  db: Db,
  claimant: Claimant,
  agentId: string,
  room: number,
): Promise<Claimed[]> {
  return db.transaction().execute(async (tx) => {
    const agent = await tx
      .selectFrom('agents')
      .select(['instances', 'failing_since', 'looked_until'])
      .where('id', '=', agentId)
      .where('enabled', '=', true)
      .where((is) =>
        is.or([is('failing_since', 'is', null), is('probe_at', '<=', sql<Date>`now()`)]),
      )
      .where(sql<boolean>`NOT (SELECT is_paused FROM agent_pause)`)
      // Nobody's key changes: who adds jobs for this agent need not wait.
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!agent) return []
    const isProbe = agent.failing_since !== null
    const most = Math.min(room, isProbe ? 1 : agent.instances)
    const rows = await take(tx, claimant, agentId, { most, instances: agent.instances, isProbe })
    if (rows.length === 0) return []
    if (isProbe) {
      await sql`UPDATE agents SET probe_at = now() + ${PROBE} WHERE id = ${agentId}`.execute(tx)
    }
    await join(tx, agentId, rows)
    const joined = await joinedTo(tx, rows)
    return rows.map(({ attempts, group_key: _, ...row }) => ({
      ...row,
      agentId,
      attempt: attempts,
      lookedUntil: agent.looked_until,
      joined: joined.get(row.id)?.map(({ input }) => input) ?? [],
    }))
  })
}

type Row = {
  id: string
  key: string
  input: Record<string, unknown>
  attempts: number
  group_key: string | null
}

async function take(
  tx: Db,
  claimant: Claimant,
  agentId: string,
  { most, instances, isProbe }: { most: number; instances: number; isProbe: boolean },
): Promise<Row[]> {
  const abandoned = isAbandoned(claimant)
  // A probe of an agent that has nothing to do tries again what it had given up.
  const givenUp = isProbe ? sql`OR status = 'failed'` : sql``
  const { rows } = await sql<Row>`
    WITH front AS (${frontOf(agentId, most, abandoned, isProbe)})
    UPDATE agent_jobs SET status = 'running', owner = ${claimant.owner}, ended_at = NULL,
      attempts = CASE WHEN status = 'failed' THEN 1 ELSE attempts + 1 END,
      lease_until = now() + ${claimant.leaseMs} * interval '1 millisecond'
    WHERE id IN (
      SELECT id FROM agent_jobs WHERE id IN (SELECT id FROM front) AND (
        (${IS_DUE}) OR (status = 'running' AND ${abandoned}) ${givenUp})
      ORDER BY status = 'failed', created_at < now() - ${PATIENCE} DESC, priority DESC, run_at, id
      LIMIT greatest(0, least(${most}, ${instances} - (SELECT count(*) FROM agent_jobs
        WHERE agent_id = ${agentId} AND status = 'running' AND NOT ${abandoned})))
      FOR UPDATE SKIP LOCKED
    ) RETURNING id, key, input, attempts, group_key`.execute(tx)
  return rows
}

/**
 * Whatever comes first is among these, however many wait behind them: of each priority those that
 * have been due the longest, and the oldest of all, which may have been put off.
 */
function frontOf(
  agentId: string,
  most: number,
  abandoned: RawBuilder<boolean>,
  isProbe: boolean,
): RawBuilder<unknown> {
  const own = sql`SELECT id FROM agent_jobs WHERE agent_id = ${agentId}`
  const givenUp = sql`UNION (${own} AND status = 'failed' ORDER BY ended_at LIMIT ${most})`
  return sql`
    SELECT first.id FROM generate_series(0, ${MOST_URGENT}) AS level,
      LATERAL (${own} AND ${IS_DUE} AND priority = level ORDER BY run_at, id LIMIT ${most}) AS first
    UNION (${own} AND ${IS_DUE} ORDER BY created_at LIMIT ${most})
    UNION ${own} AND status = 'running' AND ${abandoned}
    ${isProbe ? givenUp : sql``}`
}

/** More wait than can be worked one by one: each takes those of its host and user along. */
async function join(tx: Db, agentId: string, rows: Row[]) {
  const leaders = new Map(rows.flatMap(({ id, group_key }) => (group_key ? [[group_key, id]] : [])))
  if (leaders.size === 0) return
  const waiting = await sql<{ count: string }>`
    SELECT count(*) FROM (SELECT FROM agent_jobs WHERE agent_id = ${agentId}
      AND status = 'pending' ${IN_TURN} LIMIT ${STORM}) AS first`.execute(tx)
  if (Number(waiting.rows[0]?.count) < STORM) return
  for (const [group, leader] of leaders) {
    await sql`
      UPDATE agent_jobs SET status = 'joined', joined_to = ${leader} WHERE id IN (
        SELECT id FROM agent_jobs WHERE agent_id = ${agentId} AND status = 'pending'
          AND group_key = ${group} LIMIT ${MOST_JOINED} FOR UPDATE SKIP LOCKED)`.execute(tx)
  }
}

async function joinedTo(tx: Db, rows: Row[]) {
  const joined = await tx
    .selectFrom('agent_jobs')
    .select(['joined_to', 'input'])
    .where('status', '=', 'joined')
    .where('joined_to', '=', sql<string>`ANY(${rows.map(({ id }) => id)}::uuid[])`)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return Map.groupBy(joined, ({ joined_to }) => joined_to as string)
}
