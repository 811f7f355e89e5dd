import { invalid, notFound } from '@manara/kit/errors'
import type { Agent, AgentsPaused } from '@manara/soc-contract/agents'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import { agentById, pauseState } from './agents.store.ts'
import { type AgentSpec, specOf } from './catalogue.ts'
import { whyNotThere } from './domain/why-not-there.ts'

/** As sites know themselves; 404 when there is none. */
export type SiteById = (
  db: Kysely<Tables>,
  id: string,
) => Promise<{
  id: string
  name: string
  profile: { asset_classes: string[]; supported_agents: string[]; criticality: string }
}>

/** Off takes no further job; what runs ends by itself. On forgets earlier failures. */
export function switchAgent(change: ChangeContext, idOrName: string, enabled: boolean) {
  const fields = enabled
    ? { enabled, failing_since: null, probe_at: null, recovered_at: sql<Date>`now()` }
    : { enabled }
  return changeAgent(change, idOrName, enabled ? 'agent.enable' : 'agent.disable', fields)
}

export const scaleAgent = (change: ChangeContext, idOrName: string, instances: number) =>
  changeAgent(change, idOrName, 'agent.scale', { instances })

export async function deployAgent(
  siteById: SiteById,
  change: ChangeContext,
  idOrName: string,
  siteId: string | null,
): Promise<Agent> {
  const spec = requireSpec(idOrName)
  if (siteId !== null) {
    const site = await siteById(change.tx, siteId)
    const objection = whyNotThere(spec, site)
    if (objection) throw invalid('site_id', objection)
  }
  return changeAgent(change, spec.id, 'agent.deploy', { site_id: siteId })
}

async function changeAgent(
  change: ChangeContext,
  idOrName: string,
  action: string,
  fields: object,
): Promise<Agent> {
  const { id } = requireSpec(idOrName)
  const before = await agentById(change.tx, id)
  await change.tx.updateTable('agents').set(fields).where('id', '=', id).execute()
  const after = await agentById(change.tx, id)
  await change.audit({
    action,
    target: `agent:${id}`,
    before: settings(before),
    after: settings(after),
  })
  await change.publish('agent.updated', after)
  return after
}

const settings = ({ status, instances, site_id }: Agent) => ({ status, instances, site_id })

function requireSpec(idOrName: string): AgentSpec {
  const spec = specOf(idOrName)
  if (!spec) throw notFound('agent', idOrName)
  return spec
}

/** The kill switch: nothing begins, what runs is broken off and begins again afterwards. */
export async function pauseAgents(
  change: ChangeContext,
  paused: boolean,
  reason: string | null,
): Promise<AgentsPaused> {
  const before = await pauseState(change.tx)
  await change.tx
    .updateTable('agent_pause')
    .set({ is_paused: paused, by: change.principal.username, reason, at: sql<string>`now()` })
    .execute()
  const after = await pauseState(change.tx)
  await change.audit({
    action: paused ? 'agents.pause' : 'agents.resume',
    target: 'agents',
    before,
    after,
  })
  await change.publish(paused ? 'agent.paused' : 'agent.resumed', after)
  return after
}
