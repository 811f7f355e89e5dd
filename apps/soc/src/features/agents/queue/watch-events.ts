import { type Kysely, sql } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import { followEvents } from '../../../core/live/follow-events.ts'
import type { Tables } from '../../../db/tables.ts'
import type { AgentEvent, Agents, NewJob } from './agent-work.ts'
import { enqueueJobs } from './enqueue-jobs.ts'

type Db = Kysely<Tables>

/** Makes jobs of the events that came since the last look; true when there are more. */
export function watchEvents(
  deps: { db: Db; agents: Agents } & Pick<Changes, 'internalWorkflow'>,
): Promise<boolean> {
  const { agents } = deps
  return followEvents(deps, 'agent_event_head', async ({ tx }, events) => {
    const seen = await withUsers(tx, events as AgentEvent[])
    const sites = await sitesOf(tx)
    const jobs = seen.flatMap((event) =>
      Object.entries(agents).flatMap(([agent, work]) =>
        isOfSite(event, sites.get(agent))
          ? (work.jobsOf?.(event) ?? []).map((job) => ({ ...job, agent }) as NewJob)
          : [],
      ),
    )
    await enqueueJobs(tx, jobs)
  })
}

async function sitesOf(tx: Db): Promise<Map<string, string | null>> {
  const rows = await tx.selectFrom('agents').select(['id', 'site_id']).execute()
  return new Map(rows.map(({ id, site_id }) => [id, site_id]))
}

/** An agent at a site leaves what belongs to another; what names no site is everybody's. */
function isOfSite({ data }: AgentEvent, site: string | null | undefined): boolean {
  return site == null || data.site_id == null || data.site_id === site
}

/** Alerts are told without the event they come from, and that knows the user. */
async function withUsers(tx: Db, events: AgentEvent[]): Promise<AgentEvent[]> {
  const ids = events.filter(({ event }) => event === 'alert.created').map(({ data }) => data.id)
  if (ids.length === 0) return events
  const { rows } = await sql<{ id: string; user: string | null }>`
    SELECT id, raw->>'user' AS user FROM alerts WHERE id = ANY(${ids}::uuid[])`.execute(tx)
  const users = new Map(rows.map(({ id, user }) => [id, user]))
  return events.map((event) =>
    event.event === 'alert.created'
      ? { ...event, data: { ...event.data, user: users.get(String(event.data.id)) ?? null } }
      : event,
  )
}
