import { type Kysely, sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import type { AgentWork, Job, Run } from '../queue/agent-work.ts'
import { groupOf, jobOfAlert, priorityOf } from './domain/job-of-alert.ts'
import { type Rank, rankAlert } from './domain/rank.ts'
import {
  type AlertFacts,
  alertFacts,
  endpointOf,
  eventsOf,
  verdictsOn,
} from './reads/alert-facts.ts'

const QUIET_MS = 30_000

/** Looks into the events around an alert; undefined when there is nothing to look at. */
export type QuickInvestigation = (
  asked: { alertId: string },
  signal: AbortSignal,
) => Promise<
  | {
      verdict: 'attack' | 'suspicious' | 'nothing_found'
      score: number
      hosts: string[]
      users: string[]
      techniques: string[]
      findings: {
        claim: string
        weight: number
        cites: { log_ids: string[]; alert_ids: string[]; rule_ids: string[] }
      }[]
    }
  | undefined
>

export type KnownIndicator = {
  id: string
  value: string
  effective_score: number
  sightings: number
}

export type TriageDeps = {
  investigate: QuickInvestigation
  findIndicator(value: string): Promise<KnownIndicator | null>
  criticalityOf(db: Kysely<Tables>, siteId: string): Promise<string | null>
  /** From new to triaged; any other status stays as it is. */
  markTriaged(change: ChangeContext, alertIds: string[]): Promise<void>
}

/** Ranks every new alert and says why. It never closes one. */
export function createTriage(deps: TriageDeps): AgentWork {
  return {
    jobsOf: ({ event, data }) => (event === 'alert.created' ? [jobOfAlert(data)] : []),
    async run(job, run) {
      const alert = await alertFacts(run.db, job.input.alert_id)
      if (!alert) return run.say('the alert is gone')
      const { rank, users } = await look(deps, run, alert)
      run.say(`${rank.word}: ${alert.title}`)
      askOthers(run, alert, rank, users)
      const together = await takeAlong(run, job, alert, rank)
      run.record((change) => deps.markTriaged(change, [alert.id, ...together]))
    },
  }
}

async function look(deps: TriageDeps, run: Run, alert: AlertFacts) {
  const events = await eventsOf(run, alert)
  run.step('events of the alert', events.length)
  const verdicts = await verdictsOn(run.db, alert.rule_id)
  const endpoint = await endpointOf(run.db, alert.host)
  const known = await knownOf(deps, alert)
  run.step('known indicators', known.length)
  const siteId = alert.site_id ?? endpoint?.site_id ?? null
  const criticality = siteId && (await deps.criticalityOf(run.db, siteId))
  const asked = { alertId: alert.id }
  const looked = events.length > 0 ? await deps.investigate(asked, run.signal) : undefined
  const seen = looked && ofHost(looked, alert.host)
  if (seen) run.step('claims of the quick investigation', seen.findings.length)

  const rank = rankAlert({
    severity: alert.severity,
    verdicts,
    criticality,
    isServer: endpoint !== undefined && isServer(endpoint.labels),
    known: known.map(({ value, effective_score: score }) => ({ value, score })),
    investigation: seen,
  })
  const claims = (seen?.findings ?? []).slice(0, 10)
  run.found({
    key: `alert:${alert.id}`,
    kind: 'triage',
    claim: `Look at it ${WHEN[rank.word]}: ${alert.title}`,
    reasons: [...rank.reasons, ...claims.map(({ claim }) => claim)],
    weight: rank.score,
    alertId: alert.id,
    caseId: alert.case_id,
    host: alert.host,
    techniques: seen?.techniques ?? alert.mitre_techniques,
    data: { rank: rank.word, verdict: rank.verdict, investigated: seen !== undefined },
    cites: {
      alert_ids: [alert.id, ...claims.flatMap(({ cites }) => cites.alert_ids)],
      log_ids: [
        ...new Set([
          ...events.map(({ id }) => id),
          ...claims.flatMap(({ cites }) => cites.log_ids),
        ]),
      ].slice(0, 200),
      rule_ids: alert.rule_id && verdicts ? [alert.rule_id] : [],
      endpoint_ids: endpoint ? [endpoint.id] : [],
      ioc_ids: known.map(({ id }) => id),
    },
  })
  const users = seen?.users ?? [...new Set(events.flatMap(({ user }) => user ?? []))]
  return { rank, users }
}

/** What happened at the same time on other hosts only says nothing about this alert. */
function ofHost<Seen extends NonNullable<Awaited<ReturnType<QuickInvestigation>>>>(
  seen: Seen,
  host: string | null,
): Seen {
  const short = (name: string) => name.split('.')[0]?.toLowerCase()
  if (host === null || seen.hosts.some((one) => short(one) === short(host))) return seen
  return { ...seen, verdict: 'nothing_found', score: 0, findings: [], techniques: [], users: [] }
}

const WHEN = { urgent: 'at once', high: 'soon', normal: 'today', low: 'when there is time' }

async function knownOf({ findIndicator }: TriageDeps, { iocs }: AlertFacts) {
  const known: KnownIndicator[] = []
  for (const value of iocs.slice(0, 20)) {
    const one = await findIndicator(value)
    if (one && one.effective_score > 0) known.push(one)
  }
  return known.sort((a, b) => b.effective_score - a.effective_score)
}

export const isServer = (labels: string[]) =>
  labels.some((label) => /server|domain-controller|^dc$|critical|internet-facing/i.test(label))

function askOthers(run: Run, alert: AlertFacts, rank: Rank, users: string[]) {
  const priority = priorityOf(alert.severity)
  const user = alert.user ?? users[0] ?? null
  run.askFor({
    agent: 'agent-003',
    key: `alert:${alert.id}`,
    input: { alert_id: alert.id },
    priority,
    group: groupOf({ host: alert.host, user }),
    delayMs: QUIET_MS,
    isPutOff: true,
  })
  if (rank.verdict !== 'attack') return
  const input = { alert_id: alert.id, users }
  run.askFor({ agent: 'agent-007', key: `alert:${alert.id}`, input, priority })
  run.askFor({ agent: 'agent-008', key: `alert:${alert.id}`, input, priority })
}

/**
 * In a storm: alerts of the same host and user get the rank of the one that was looked into. Answers
 * which.
 */
async function takeAlong(
  run: Run,
  { joined }: Job,
  leader: AlertFacts,
  rank: Rank,
): Promise<string[]> {
  const ids = joined.map(({ alert_id }) => String(alert_id))
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string; title: string; severity: AlertFacts['severity'] }>`
    SELECT id, title, severity FROM alerts WHERE id = ANY(${ids}::uuid[])`.execute(run.db)
  run.step('alerts of the same host and user', rows.length)
  for (const { id, title, severity } of rows) {
    run.found({
      key: `alert:${id}`,
      kind: 'triage',
      claim: `Look at it together with ${leader.title}: ${title}`,
      reasons: [
        `The alert is ${severity}.`,
        'Many alerts came at once: those of one host and user were looked into together.',
      ],
      weight: Math.max(rank.score, severity === 'critical' ? 75 : 0),
      alertId: id,
      host: leader.host,
      data: { rank: rank.word, verdict: rank.verdict, together_with: leader.id },
      cites: { alert_ids: [id, leader.id] },
    })
  }
  return rows.map(({ id }) => id)
}
