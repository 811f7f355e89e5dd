import { sql } from 'kysely'
import type { AgentWork, Run } from '../queue/agent-work.ts'
import { relatedTo } from './domain/related.ts'
import { type AlertFacts, alertFacts, alertsWhere, IS_LIVE } from './reads/alert-facts.ts'

const ORDER = ['critical', 'high', 'medium', 'low', 'info'] as const

/** In a storm the alerts of a day are too many to be looked at for every one of them. */
const LAST = 10_000
const MOST = 200

/** On the same host all day, however many others came; by indicators and other spellings of it among the last. */
const mayBelongTo = ({ host, iocs }: AlertFacts) => sql<boolean>`id IN (
  (SELECT id FROM alerts
    WHERE host = ${host} AND created_at > now() - interval '24 hours' AND ${IS_LIVE}
    ORDER BY created_at DESC LIMIT ${MOST})
  UNION
  (SELECT id FROM (
      SELECT id, status, host, iocs, created_at FROM alerts
      WHERE created_at > now() - interval '24 hours' AND severity_rank > 0
      ORDER BY created_at DESC LIMIT ${LAST}) AS last
    WHERE ${IS_LIVE} AND (lower(host) = lower(${host}) OR iocs && ${iocs}::text[])
    ORDER BY created_at DESC LIMIT ${MOST}))`

/** Joins alerts of a day that belong together: a link to an open case, or a case of their own. */
export function createCorrelation(): AgentWork {
  return {
    async run({ input }, run) {
      const alert = await alertFacts(run.db, input.alert_id)
      if (!alert) return run.say('the alert is gone')
      const others = await alertsWhere(run.db, mayBelongTo(alert))
      const links = relatedTo(alert, others)
      run.step('alerts that belong together', links.length)
      if (links.length === 0) return
      const together = [alert, ...others.filter(({ id }) => links.some((link) => link.id === id))]
      const reasons = [...new Set(links.map(({ why }) => why))].map(
        (why) => `${links.filter((link) => link.why === why).length + 1} alerts have ${why}.`,
      )
      await proposeCase(run, together, reasons)
    },
  }
}

async function proposeCase(run: Run, alerts: AlertFacts[], rationale: string[]) {
  const free = alerts.filter(({ case_id }) => case_id === null)
  if (free.length === 0) return
  const cites = { alert_ids: alerts.map(({ id }) => id) }
  const caseId = await openCaseOf(run, alerts)
  const alert_ids = free.map(({ id }) => id)
  if (caseId) {
    run.say(`${free.length} alerts belong to an open case`)
    run.propose({
      key: `link:${caseId}:${[...alert_ids].sort().join()}`,
      title: `Add ${free.length} ${free.length === 1 ? 'alert' : 'alerts'} to the case they belong to`,
      rationale,
      action: { kind: 'link_alerts', case_id: caseId, alert_ids },
      cites: { ...cites, case_ids: [caseId] },
    })
    return
  }
  const first = alerts.toSorted((a, b) => rankOf(a) - rankOf(b))[0] as AlertFacts
  const place = first.host ? ` on ${first.host}` : ''
  run.say(`${alerts.length} alerts are one story${place}`)
  run.propose({
    key: `case:${first.host?.toLowerCase() ?? ''}|${first.user?.toLowerCase() ?? first.id}`,
    title: `Open a case for ${alerts.length} alerts${place}`.slice(0, 500),
    rationale,
    action: {
      kind: 'open_case',
      title: `${first.title.slice(0, 400)} and ${alerts.length - 1} more`,
      severity: first.severity,
      description: rationale.join('\n'),
      alert_ids,
      tasks: [],
    },
    cites,
  })
}

const rankOf = ({ severity }: AlertFacts) => ORDER.indexOf(severity)

/** The oldest of the open cases that some of them are in. */
async function openCaseOf(run: Run, alerts: AlertFacts[]): Promise<string | undefined> {
  const ids = alerts.flatMap(({ case_id }) => case_id ?? [])
  if (ids.length === 0) return undefined
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM cases WHERE id = ANY(${ids}::uuid[]) AND deleted_at IS NULL
      AND merged_into IS NULL AND status NOT IN ('resolved', 'closed')
    ORDER BY created_at LIMIT 1`.execute(run.db)
  return rows[0]?.id
}
