import { notFound } from '@manara/kit/errors'
import type {
  Agent,
  AgentListQuery,
  AgentRun,
  AgentRunListQuery,
  AgentsPaused,
} from '@manara/soc-contract/agents'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type Selectable, sql } from 'kysely'
import { namesNoHidden } from '../../../core/access/reader.ts'
import { inTime } from '../../../db/keyset.ts'
import { readPage } from '../../../db/page.ts'
import type { Tables } from '../../../db/tables.ts'
import { pageOf } from '../../../showcase/query.ts'
import { type AgentSpec, CATALOGUE, specOf } from './catalogue.ts'

type Db = Kysely<Tables>

type State = {
  id: string
  enabled: boolean
  instances: number
  site_id: string | null
  is_failing: boolean
  is_paused: boolean
  waiting: string
  running: string
  failed: string
  oldest: Date | null
  last_run_at: Date | null
  runs: string | null
  errors: string | null
  last_error: string | null
}

async function statesOf(db: Db): Promise<Map<string, State>> {
  const { rows } = await sql<State>`
    SELECT agents.id, enabled, instances, site_id, failing_since IS NOT NULL AS is_failing,
      (SELECT is_paused FROM agent_pause) AS is_paused, coalesce(waiting, 0) AS waiting,
      coalesce(running, 0) AS running, coalesce(failed, 0) AS failed, oldest, hours.*
    FROM agents LEFT JOIN (
      SELECT agent_id, count(*) FILTER (WHERE status IN ('pending', 'joined')) AS waiting,
        count(*) FILTER (WHERE status = 'running') AS running,
        count(*) FILTER (WHERE status = 'failed') AS failed,
        min(created_at) FILTER (WHERE status = 'pending' AND run_at <= now()) AS oldest
      FROM agent_jobs WHERE status <> 'done' GROUP BY agent_id
    ) AS jobs ON agent_id = agents.id,
    LATERAL (SELECT max(last_run_at) AS last_run_at,
        sum(runs) FILTER (WHERE hour > now() - interval '24 hours') AS runs,
        sum(errors) FILTER (WHERE hour > now() - interval '24 hours') AS errors,
        (array_agg(last_error ORDER BY hour DESC) FILTER (WHERE last_error IS NOT NULL))[1]
          AS last_error
      FROM agent_hours WHERE agent_id = agents.id) AS hours`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export async function listAgents(db: Db, query: AgentListQuery): Promise<ListOf<Agent>> {
  const states = await statesOf(db)
  return pickAgents(
    CATALOGUE.flatMap((spec) => {
      const state = states.get(spec.id)
      return state ? [toAgent(spec, state)] : []
    }),
    query,
  )
}

export function pickAgents(agents: Agent[], query: AgentListQuery): ListOf<Agent> {
  const { site, status, type } = query
  const picked = agents
    .filter((agent) => site === undefined || agent.site_id === site)
    .filter((agent) => status === undefined || agent.status === status)
    .filter((agent) => type === undefined || agent.type === type)
  return pageOf(picked, query)
}

export async function agentById(db: Db, idOrName: string): Promise<Agent> {
  const spec = specOf(idOrName)
  const state = spec && (await statesOf(db)).get(spec.id)
  if (!spec || !state) throw notFound('agent', idOrName)
  return toAgent(spec, state)
}

const toAgent = (spec: AgentSpec, state: State): Agent => ({
  id: spec.id,
  name: spec.name,
  type: spec.type,
  site_id: state.site_id,
  status: state.enabled ? (state.is_failing ? 'error' : 'active') : 'disabled',
  instances: state.instances,
  description: spec.description,
  tools: spec.tools,
  is_paused: state.is_paused,
  jobs_waiting: Number(state.waiting),
  jobs_running: Number(state.running),
  jobs_failed: Number(state.failed),
  oldest_waiting_at: state.oldest?.toISOString() ?? null,
  last_run_at: state.last_run_at?.toISOString() ?? null,
  runs_24h: Number(state.runs ?? 0),
  errors_24h: Number(state.errors ?? 0),
  last_error: state.last_error,
})

export async function listRuns(
  db: Db,
  idOrName: string,
  query: AgentRunListQuery,
): Promise<ListOf<AgentRun>> {
  const spec = specOf(idOrName)
  if (!spec) throw notFound('agent', idOrName)
  const listed = db
    .selectFrom('agent_runs')
    .selectAll()
    .where('agent_id', '=', spec.id)
    .where(query.status ? sql<boolean>`status = ${query.status}` : sql<boolean>`true`)
    .where(namesNoHidden('key', 'summary', 'steps'))
  return readPage(query, inTime('completed_at', query.order), listed, toRun)
}

const toRun = (row: Selectable<Tables['agent_runs']>): AgentRun => ({
  ...row,
  started_at: row.started_at.toISOString(),
  completed_at: row.completed_at.toISOString(),
})

export async function pauseState(db: Db): Promise<AgentsPaused> {
  const { is_paused, by, reason, at } = await db
    .selectFrom('agent_pause')
    .selectAll()
    .executeTakeFirstOrThrow()
  return { paused: is_paused, by, reason, at: at?.toISOString() ?? null }
}

/** Who is deployed there. */
export async function agentNamesAt(db: Db, siteId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('agents')
    .select('id')
    .where('site_id', '=', siteId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => specOf(id)?.name ?? id)
}
