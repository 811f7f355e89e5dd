import { sql } from 'kysely'
import type { AgentWork, Run } from '../queue/agent-work.ts'
import { isPerson } from './domain/indicator-kinds.ts'
import { type AlertFacts, alertFacts, type EndpointFacts, endpointOf } from './reads/alert-facts.ts'
import { onHost } from './reads/queries.ts'
import { isServer } from './triage.ts'

const DAY_MS = 86_400_000

/** Proposes to isolate an attacked endpoint, or to scan one that others depend on. */
export function createEdrResponder(): AgentWork {
  return {
    jobsOf: ({ event, data }) =>
      event === 'endpoint.action' && (data.status === 'completed' || data.status === 'failed')
        ? [
            {
              key: `action:${data.action_id}:${data.status}`,
              input: { action_id: data.action_id },
              priority: 2,
            },
          ]
        : [],
    async run({ input }, run) {
      if (input.action_id) return followUp(run, String(input.action_id))
      const alert = await alertFacts(run.db, input.alert_id)
      const endpoint = await endpointOf(run.db, alert?.host ?? null)
      if (!alert || !endpoint?.external_id) return run.say('no endpoint with an agent')
      if (endpoint.isolation !== 'none') return run.say(`it is ${endpoint.isolation}`)
      await propose(run, alert, endpoint)
    },
  }
}

async function propose(run: Run, alert: AlertFacts, endpoint: EndpointFacts) {
  const { values } = await run.logs.topValues({
    query: onHost(endpoint.hostname),
    time: { from: run.now() - DAY_MS },
    field: 'user',
    limit: 20,
  })
  const people = values.map(({ value }) => value).filter(isPerson)
  const command = isServer(endpoint.labels) ? 'scan' : 'isolate'
  run.step('people seen on the host within a day', people.length)
  run.say(`${command} ${endpoint.hostname}`)
  run.propose({
    key: `${command}:${endpoint.id}`,
    title: `${command === 'scan' ? 'Scan' : 'Isolate'} ${endpoint.hostname}`,
    rationale: [
      `The alert "${alert.title}" reads like an attack.`,
      people.length > 0
        ? `Within a day these accounts were seen there: ${people.slice(0, 10).join(', ')}${people.length > 10 ? ' and more' : ''}.`
        : 'Nobody was seen there within a day.',
      ...(endpoint.labels.length > 0 ? [`It is labelled ${endpoint.labels.join(', ')}.`] : []),
      ...(command === 'scan' ? ['Others depend on it: a scan hurts less than an isolation.'] : []),
    ],
    action: {
      kind: 'endpoint_action',
      endpoint_id: endpoint.id,
      hostname: endpoint.hostname,
      command,
      reason: `attack: ${alert.title}`.slice(0, 2_000),
    },
    evidence: { accounts: people, labels: endpoint.labels },
    cites: { alert_ids: [alert.id], endpoint_ids: [endpoint.id] },
  })
}

/** What came of an action that a proposal had asked for. */
async function followUp(run: Run, actionId: string) {
  const { rows } = await sql<{
    endpoint_id: string
    hostname: string
    command: string
    status: string
    detail: string | null
    simulated: boolean
    proposal_id: string
    alert_ids: string[]
  }>`
    SELECT endpoint_id, hostname, command, action.status, detail, simulated,
      proposals.id AS proposal_id,
      ARRAY(SELECT jsonb_array_elements_text(proposals.cites->'alert_ids')) AS alert_ids
    FROM edr_actions AS action JOIN edr_endpoints AS endpoint ON endpoint.id = endpoint_id
    JOIN proposals ON 'proposal:' || proposals.id = request_key
    WHERE action_id::text = ${actionId}`.execute(run.db)
  const [done] = rows
  if (!done) return
  const how = done.simulated ? ' (simulated)' : ''
  run.say(`${done.command} of ${done.hostname} ${done.status}`)
  run.found({
    key: `action:${actionId}:${done.status}`,
    kind: 'note',
    claim: `The proposal to ${done.command} ${done.hostname} was carried out: ${done.status}${how}`,
    reasons: done.detail ? [done.detail] : [],
    weight: done.status === 'failed' ? 60 : 20,
    alertId: done.alert_ids[0] ?? null,
    host: done.hostname,
    data: { proposal_id: done.proposal_id, action_id: actionId },
    cites: { endpoint_ids: [done.endpoint_id], alert_ids: done.alert_ids },
  })
}
