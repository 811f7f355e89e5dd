import type { Http } from '@manara/kit/http'
import {
  Agent,
  AgentDeploy,
  AgentFinding,
  AgentListQuery,
  AgentParams,
  AgentPause,
  AgentRun,
  AgentRunListQuery,
  AgentScale,
  AgentsPaused,
  FindingListQuery,
} from '@manara/soc-contract/agents'
import { listOf } from '@manara/soc-contract/lists'
import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Reads } from '../../../core/mode/read-through.ts'
import type { Tables } from '../../../db/tables.ts'
import { requires } from '../../../http/permissions.ts'
import { pageOf } from '../../../showcase/query.ts'
import { listFindings } from '../findings/findings.store.ts'
import { agentById, listAgents, listRuns, pauseState } from './agents.store.ts'
import {
  deployAgent,
  pauseAgents,
  type SiteById,
  scaleAgent,
  switchAgent,
} from './change-agents.ts'
import { showAgent, showAgents } from './show-agents.ts'

export type AgentDeps = {
  db: Kysely<Tables>
  siteById: SiteById
  /** After a change: there may be work to begin, or to break off. */
  wakeAgents(): void
} & Pick<Changes, 'operatorChange'> &
  Reads

const tags = ['agents']

export function agentRoutes(http: Http, deps: AgentDeps) {
  const { db, operatorChange, readThrough } = deps

  http.get(
    '/agents',
    {
      ...requires('agents:read'),
      schema: {
        tags,
        summary: 'List the sixteen agents',
        description: 'With what waits for each, and how the last day went.',
        querystring: AgentListQuery,
        response: { 200: listOf(Agent) },
      },
    },
    ({ query }) =>
      readThrough(
        () => listAgents(db, query),
        () => showAgents(query),
      ),
  )

  http.get(
    '/agents/findings',
    {
      ...requires('agents:read'),
      schema: {
        tags,
        summary: 'What agents found, newest first',
        description: 'Each cites records and events that existed when it was stored.',
        querystring: FindingListQuery,
        response: { 200: listOf(AgentFinding) },
      },
    },
    ({ query }) =>
      readThrough(
        () => listFindings(db, query),
        () => pageOf([], query),
      ),
  )

  http.get(
    '/agents/:agent_id',
    {
      ...requires('agents:read'),
      schema: {
        tags,
        summary: 'One agent',
        description: 'By its id, or by its name such as Triage.',
        params: AgentParams,
        response: { 200: Agent },
      },
    },
    ({ params }) =>
      readThrough(
        () => agentById(db, params.agent_id),
        () => showAgent(params.agent_id),
      ),
  )

  http.get(
    '/agents/:agent_id/runs',
    {
      ...requires('agents:read'),
      schema: {
        tags,
        summary: 'Runs of an agent, newest first',
        description: 'A timer that found nothing leaves no run behind, only its count.',
        params: AgentParams,
        querystring: AgentRunListQuery,
        response: { 200: listOf(AgentRun) },
      },
    },
    ({ params, query }) =>
      readThrough(
        () => listRuns(db, params.agent_id, query),
        () => pageOf([], query),
      ),
  )

  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    http.post(
      `/agents/:agent_id/${verb}`,
      {
        ...requires('agents:manage'),
        schema: {
          tags,
          summary: enabled ? 'Switch an agent on' : 'Switch an agent off',
          description: enabled
            ? 'Its earlier failures are forgotten.'
            : 'No further job begins; what runs ends by itself.',
          params: AgentParams,
          response: { 200: Agent },
        },
      },
      async (request, reply) => {
        const { agent_id } = request.params
        const agent = await operatorChange(request, reply, 200, (change) =>
          switchAgent(change, agent_id, enabled),
        )
        deps.wakeAgents()
        return agent
      },
    )
  }

  http.post(
    '/agents/:agent_id/deploy',
    {
      ...requires('agents:manage'),
      schema: {
        tags,
        summary: 'Deploy an agent at a site',
        description:
          'It then leaves what belongs to other sites. Refused when the site does not support it or declares nothing it works on.',
        params: AgentParams,
        body: AgentDeploy,
        response: { 200: Agent },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        deployAgent(deps.siteById, change, request.params.agent_id, request.body.site_id),
      ),
  )

  http.patch(
    '/agents/:agent_id/scale',
    {
      ...requires('agents:manage'),
      schema: {
        tags,
        summary: 'Set how many jobs of an agent run at a time',
        description: 'Over all processes; 0 begins none.',
        params: AgentParams,
        body: AgentScale,
        response: { 200: Agent },
      },
    },
    async (request, reply) => {
      const agent = await operatorChange(request, reply, 200, (change) =>
        scaleAgent(change, request.params.agent_id, request.body.instances),
      )
      deps.wakeAgents()
      return agent
    },
  )

  http.get(
    '/agents/pause',
    {
      ...requires('agents:read'),
      schema: { tags, summary: 'Whether agents are stopped', response: { 200: AgentsPaused } },
    },
    () =>
      readThrough(
        () => pauseState(db),
        () => ({ paused: false, by: null, reason: null, at: null }),
      ),
  )

  for (const [verb, paused] of [
    ['pause', true],
    ['resume', false],
  ] as const) {
    http.post(
      `/agents/${verb}`,
      {
        ...requires('agents:manage'),
        schema: {
          tags,
          summary: paused ? 'Stop all agents' : 'Let agents work again',
          description: paused
            ? 'The kill switch: nothing begins, what runs is broken off and begins again after resume.'
            : 'What waited is worked, the most severe first.',
          body: AgentPause.nullish(),
          response: { 200: AgentsPaused },
        },
      },
      async (request, reply) => {
        const state = await operatorChange(request, reply, 200, (change) =>
          pauseAgents(change, paused, request.body?.reason ?? null),
        )
        deps.wakeAgents()
        return state
      },
    )
  }
}
