import type { PlaybookParameter, PlaybookStep } from '@manara/soc-contract/playbooks'
import { sql } from 'kysely'
import type { PlaybookFunctions } from '../proposals/functions.ts'
import type { AgentWork, Run } from '../queue/agent-work.ts'
import { isOutside } from './domain/indicator-kinds.ts'
import { priorityOf } from './domain/job-of-alert.ts'
import { type AlertFacts, alertFacts, endpointOf } from './reads/alert-facts.ts'

export type ResponderDeps = Pick<PlaybookFunctions, 'beginPlaybook'>

/** Which tag of a playbook answers which technique. */
const ANSWERS: [technique: RegExp, tag: string][] = [
  [/^T(1486|1490|1485|1489)/, 'ransomware'],
  [/^T1566/, 'phishing'],
]

/** They read, or write into cases of ours: an analyst would not ask before doing the same. */
const HARMLESS = new Set([
  ...['enrich_indicator', 'search_logs', 'create_case', 'update_case', 'add_comment'],
  ...['add_task', 'update_task', 'add_observable', 'generate_report', 'wait'],
])

type Playbook = {
  id: string
  name: string
  is_critical: boolean
  steps: PlaybookStep[]
  parameters: Record<string, PlaybookParameter>
  tags: string[]
}

/** Picks the playbooks that fit an attack, with parameters from the evidence and nowhere else. */
export function createPlaybookResponder({ beginPlaybook }: ResponderDeps): AgentWork {
  return {
    jobsOf({ event, data }) {
      const ids = Array.isArray(data.alert_ids) ? data.alert_ids : []
      const isGrave = data.severity === 'critical' || data.severity === 'high'
      if (event !== 'case.created' || !isGrave || ids.length === 0) return []
      return [
        {
          key: `case:${data.id}`,
          input: { alert_id: ids[0], case_id: data.id },
          priority: priorityOf(data.severity),
        },
      ]
    },
    async run({ input }, run) {
      const alert = await alertFacts(run.db, input.alert_id)
      if (!alert) return run.say('the alert is gone')
      const caseId = typeof input.case_id === 'string' ? input.case_id : alert.case_id
      const evidence = await evidenceOf(run, alert)
      const fitting = (await playbooksOf(run, alert.id)).filter(
        (playbook) => fits(playbook, alert, evidence) && parametersOf(playbook, evidence),
      )
      run.step('playbooks that fit', fitting.length)
      for (const playbook of fitting) {
        const ask = {
          playbook_id: playbook.id,
          alert_id: alert.id,
          case_id: caseId,
          parameters: parametersOf(playbook, evidence) ?? {},
        }
        if (isHarmless(playbook)) {
          run.say(`${playbook.name} was begun`)
          run.record(async (change) => void (await beginPlaybook(change, ask)))
        } else propose(run, playbook, alert, ask)
      }
    },
  }
}

type Evidence = { host: string | null; indicators: string[] }

async function evidenceOf(run: Run, alert: AlertFacts): Promise<Evidence> {
  const endpoint = await endpointOf(run.db, alert.host)
  return {
    host: endpoint?.external_id ? endpoint.hostname : null,
    indicators: alert.iocs.filter(isOutside),
  }
}

/** Those that people start, and that have not been begun or proposed for this alert. */
async function playbooksOf(run: Run, alertId: string): Promise<Playbook[]> {
  const { rows } = await sql<Playbook>`
    SELECT id, name, is_critical, steps, parameters, tags FROM playbooks
    WHERE deleted_at IS NULL AND enabled AND trigger->>'on' = 'manual'
      AND NOT EXISTS (SELECT FROM executions WHERE playbook_id = playbooks.id
        AND alert_id = ${alertId})
    ORDER BY id`.execute(run.db)
  return rows
}

function fits({ tags, steps }: Playbook, alert: AlertFacts, evidence: Evidence): boolean {
  const wanted = ANSWERS.filter(([technique]) =>
    alert.mitre_techniques.some((id) => technique.test(id)),
  ).map(([, tag]) => tag)
  if (steps.some(({ action }) => action.startsWith('edr_')) && evidence.host === null) return false
  if (tags.some((tag) => wanted.includes(tag))) return true
  if (tags.includes('ioc')) return evidence.indicators.length > 0
  return tags.includes('triage') && alert.case_id === null
}

/** Undefined when one that is required is not in the evidence. */
function parametersOf(
  { parameters }: Playbook,
  { host, indicators }: Evidence,
): Record<string, unknown> | undefined {
  const filled: Record<string, unknown> = {}
  for (const [name, { required }] of Object.entries(parameters)) {
    // Of an alert's own addresses some may be ours: only what means something outside is named.
    const value = name === 'host' ? host : name === 'value' ? (indicators[0] ?? null) : null
    if (value !== null) filled[name] = value
    else if (required) return undefined
  }
  return filled
}

const isHarmless = ({ is_critical, steps }: Playbook) =>
  !is_critical && steps.every(({ action }) => HARMLESS.has(action))

function propose(
  run: Run,
  playbook: Playbook,
  alert: AlertFacts,
  ask: { playbook_id: string; alert_id: string; case_id: string | null; parameters: object },
) {
  run.say(`${playbook.name} is proposed`)
  run.propose({
    key: `playbook:${playbook.id}:${alert.id}`,
    title: `${playbook.name}: ${alert.title}`.slice(0, 500),
    rationale: [
      `The alert is ${alert.severity}${alert.host ? ` on ${alert.host}` : ''}${alert.mitre_techniques.length > 0 ? ` (${alert.mitre_techniques.join(', ')})` : ''}.`,
      `Steps: ${playbook.steps.map(({ action }) => action).join(', ')}.`,
    ],
    action: { kind: 'execute_playbook', ...ask, parameters: { ...ask.parameters } },
    cites: { alert_ids: [alert.id], case_ids: ask.case_id ? [ask.case_id] : [] },
  })
}
