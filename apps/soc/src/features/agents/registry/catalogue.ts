import { AGENTS } from '@manara/soc-contract/agent-names'
import type { AgentId, AgentType } from '@manara/soc-contract/agents'
import type { Limits } from '../queue/domain/budget.ts'

export type AgentSpec = {
  id: AgentId
  name: string
  type: AgentType
  description: string
  /** The agents' tools it may call; Supervisor and ApprovalGate may call none. */
  tools: string[]
  /** It has work only where one of these stands; null has work anywhere. */
  assetClasses: string[] | null
  /** Of one run. */
  limits: Limits
}

const HOSTS = ['workstation', 'laptop', 'desktop', 'server', 'endpoint', 'vm', 'host']
const DEVICES = [
  ...['plc', 'rtu', 'hmi', 'scada', 'dcs', 'ied', 'iot', 'cps', 'ot', 'sensor', 'actuator'],
  ...['controller', 'gateway', 'robot', 'drone', 'historian', 'safety'],
]

const LIMITS: Limits = { ms: 60_000, events: 200_000, queries: 40 }
const INVESTIGATING: Limits = { ...LIMITS, ms: 120_000 }

/** What all runs of an agent may use within an hour. */
export const HOURLY: Limits = { ms: 3_600_000, events: 20_000_000, queries: 100_000 }

type Own = Pick<AgentSpec, 'description' | 'tools'> & Partial<AgentSpec>

const OWN: Record<AgentType, Own> = {
  triage: {
    description:
      'Looks into every new alert, ranks it and says why; it never closes or hides an alert.',
    tools: ['update_case'],
    limits: INVESTIGATING,
  },
  enrichment: {
    description:
      'Adds to alerts and observables what is known: indicators, sightings, endpoint, site, how common it is.',
    tools: [],
  },
  correlation: {
    description:
      'Joins alerts that belong together by host, user or indicator and proposes a case for them.',
    tools: ['create_case', 'update_case'],
  },
  hunting: {
    description:
      'Runs shared hunts every hour, looks for what is new on a host, and tries new rules and indicators on the past.',
    tools: ['create_case'],
  },
  tuning: {
    description:
      'Finds the smallest exception for a rule that people found wrong again and again, and replays it before it proposes it.',
    tools: [],
  },
  case: {
    description:
      'Keeps cases in order: observables of their alerts, missing tasks, cases that nobody touches, twins.',
    tools: ['update_case'],
  },
  response: {
    description:
      'Picks the playbook that fits an attack: harmless ones run, critical ones are proposed.',
    tools: ['execute_playbook', 'request_human_approval'],
  },
  edr: {
    description:
      'Proposes to isolate or scan an attacked endpoint, says whom that hits, and follows what comes of it.',
    tools: ['execute_playbook', 'request_human_approval'],
    assetClasses: HOSTS,
  },
  identity: {
    description:
      'Watches logons: spraying, guessing that got in, accounts in two places, first logons with high rights.',
    tools: ['request_human_approval', 'update_case'],
  },
  network: {
    description:
      'Looks at who talks to whom around an alert: regular beacons, rare destinations, scans.',
    tools: ['update_case'],
  },
  malware: {
    description: 'Follows a hash or program over all hosts: where, by whom started, how common.',
    tools: ['create_case', 'update_case'],
    assetClasses: HOSTS,
  },
  vulnerability: {
    description:
      'Lists endpoints whose system or agent is out of support or behind, those with alerts first.',
    tools: ['generate_report'],
    assetClasses: HOSTS,
  },
  cps: {
    description:
      'Looks at alerts of devices together with what happened in the IT of the same site within an hour.',
    tools: ['request_human_approval', 'create_case'],
    assetClasses: DEVICES,
  },
  reporting: {
    description: 'Writes the report of a resolved case, and one of the week, from records alone.',
    tools: ['generate_report'],
  },
  supervisor: {
    description:
      'Watches the agents themselves: queues, failures, budgets; raises an alert when they fall behind.',
    tools: [],
  },
  approval: {
    description:
      'Checks each proposal: evidence, target, twin; lets it through to the people who decide, and takes back what is over.',
    tools: [],
  },
}

/** The sixteen. */
export const CATALOGUE: readonly AgentSpec[] = AGENTS.map((agent) => ({
  assetClasses: null,
  limits: LIMITS,
  ...OWN[agent.type],
  ...agent,
}))

export const specOf = (idOrName: string): AgentSpec | undefined =>
  CATALOGUE.find(({ id, name }) => id === idOrName || name === idOrName)
