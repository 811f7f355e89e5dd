import type { Logger } from '@manara/kit/logging'
import type { AgentId } from '@manara/soc-contract/agents'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext, Changes } from '../../../core/change/operator-change.ts'
import { tryInside } from '../../../core/change/try-inside.ts'
import { followEvents } from '../../../core/live/follow-events.ts'
import type { Tables } from '../../../db/tables.ts'
import { type AgentEvent, type Agents, type AgentWork, entriesOf } from './agent-work.ts'
import { enqueueJobs } from './enqueue-jobs.ts'
import { countFailure, errorText } from './fail-job.ts'

type Db = Kysely<Tables>

type Failure = { event: AgentEvent; thrown: unknown }

/** Makes jobs of the events that came since the last look; true when there are more. */
export function watchEvents(
  deps: { db: Db; agents: Agents; log: Pick<Logger, 'error'> } & Pick<Changes, 'internalWorkflow'>,
): Promise<boolean> {
  return followEvents(deps, 'agent_event_head', async (change, events) => {
    const seen = await withUsers(change.tx, events as AgentEvent[])
    const sites = await sitesOf(change.tx)
    for (const [agent, work] of entriesOf(deps.agents)) {
      const mine = seen.filter((event) => isOfSite(event, sites.get(agent)))
      // One that fails must not keep the others from these events, for ever.
      const failures = await enqueueAll(change, agent, work, mine)
      if (failures.length > 0) await tellFailures(deps, change, agent, failures)
    }
  })
}

async function enqueueAll(
  change: ChangeContext,
  agent: AgentId,
  work: AgentWork,
  events: AgentEvent[],
): Promise<Failure[]> {
  const failures: Failure[] = []
  const jobs = events.flatMap((event) => {
    try {
      return (work.jobsOf?.(event) ?? []).map((job) => ({ ...job, agent }))
    } catch (thrown) {
      failures.push({ event, thrown })
      return []
    }
  })
  const event = events.at(-1)
  if (!event || jobs.length === 0) return failures
  const refused = await tryInside(change, async ({ tx }) => void (await enqueueJobs(tx, jobs)))
  return refused ? [...failures, { event, ...refused }] : failures
}

/** As one failed run of the agent, however many events of this look it failed at. */
async function tellFailures(
  { log }: { log: Pick<Logger, 'error'> },
  change: ChangeContext,
  agent: string,
  failures: Failure[],
) {
  const [{ event, thrown } = { event: { seq: '' }, thrown: undefined }] = failures
  const error = `${errorText(thrown)} (at ${failures.length} events, first ${event.seq})`
  log.error({ err: thrown, agent, event: event.seq }, 'an agent did not take an event')
  const job = { agentId: agent, key: `event:${event.seq}`, attempt: 1 }
  const spent = { startedAt: new Date(), used: { ms: 0, events: 0, queries: 0 } }
  await countFailure(change, job, error, spent)
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
