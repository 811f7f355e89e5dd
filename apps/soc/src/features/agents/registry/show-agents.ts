import type { Agent, AgentListQuery } from '@manara/soc-contract/agents'
import { pickAgents } from './agents.store.ts'
import { CATALOGUE } from './catalogue.ts'

/** The sixteen at rest: in `dummy` agents do not run. */
export const showAgents = (query: AgentListQuery) => pickAgents(CATALOGUE.map(atRest), query)

export const showAgent = (idOrName: string): Agent | undefined =>
  CATALOGUE.filter(({ id, name }) => id === idOrName || name === idOrName).map(atRest)[0]

const atRest = ({ id, name, type, description, tools }: (typeof CATALOGUE)[number]): Agent => ({
  id,
  name,
  type,
  site_id: null,
  status: 'active',
  instances: 1,
  description,
  tools,
  is_paused: false,
  jobs_waiting: 0,
  jobs_running: 0,
  jobs_failed: 0,
  oldest_waiting_at: null,
  last_run_at: null,
  runs_24h: 0,
  errors_24h: 0,
  last_error: null,
})
