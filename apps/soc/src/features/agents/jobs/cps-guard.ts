import { sql } from 'kysely'
import type { DevicesOf } from '../investigation/gather/look-around.ts'
import type { AgentWork, Run } from '../queue/agent-work.ts'
import { priorityOf, textsIn } from './domain/job-of-alert.ts'
import { type AlertFacts, alertFacts, alertsWhere, endpointOf } from './reads/alert-facts.ts'

/** Alerts of devices come from the platform's own correlation, from rules for them, or by technique. */
const isOfDevice = (alert: { source?: unknown; tags?: unknown; mitre_techniques?: unknown }) =>
  /^(cps|ot|correlation)$/i.test(String(alert.source)) ||
  textsIn(alert.tags).some((tag) => /^(cps|ot|ics)$/i.test(tag)) ||
  textsIn(alert.mitre_techniques).some((id) => /^T0\d{3}/.test(id))

const HOUR_MS = 3_600_000

/** Looks at an alert of a device together with the IT of its site within an hour. */
export function createCpsGuard({ devicesOf }: { devicesOf: DevicesOf }): AgentWork {
  return {
    jobsOf: ({ event, data }) =>
      event === 'alert.created' && isOfDevice(data)
        ? [
            {
              key: `alert:${data.id}`,
              input: { alert_id: data.id },
              priority: priorityOf(data.severity),
            },
          ]
        : [],
    async run({ input }, run) {
      const alert = await alertFacts(run.db, input.alert_id)
      if (!alert) return run.say('the alert is gone')
      const siteId = alert.site_id ?? (await endpointOf(run.db, alert.host))?.site_id ?? null
      if (siteId === null) return run.say('the alert names no site')
      const signals = (await itSignals(run, alert, siteId)).filter((one) => !isOfDevice(one))
      run.step('alerts in the IT of the site within an hour', signals.length)
      const doubtful = await doubtfulDevices(devicesOf, alert, siteId)
      run.step('devices of the site that are not trusted', doubtful.length)
      if (signals.length > 0) tell(run, alert, siteId, signals, doubtful)
    },
  }
}

/**
 * Of hosts that stand at the site, or of alerts that name it. None is changed before it is seen: by
 * that the index passes over what is older.
 */
const itSignals = (run: Run, alert: AlertFacts, siteId: string) =>
  alertsWhere(
    run.db,
    sql<boolean>`id <> ${alert.id}
      AND last_seen_at BETWEEN ${alert.last_seen_at}::timestamptz - interval '1 hour'
        AND ${alert.last_seen_at}::timestamptz + interval '1 hour'
      AND updated_at >= ${alert.last_seen_at}::timestamptz - interval '1 hour'
      AND severity IN ('critical', 'high', 'medium')
      AND (site_id = ${siteId} OR lower(host) IN (
        SELECT lower(hostname) FROM edr_endpoints WHERE site_id = ${siteId}))`,
    50,
  )

/** What the devices of the site are worth, in words. */
async function doubtfulDevices(devicesOf: DevicesOf, alert: AlertFacts, siteId: string) {
  const at = alert.last_seen_at.getTime()
  const time = { from: new Date(at - HOUR_MS), to: new Date(at + HOUR_MS) }
  const { devices } = await devicesOf([siteId], time)
  return devices
    .filter(({ trust_status }) => trust_status === 'untrusted' || trust_status === 'suspect')
    .map(({ name, trust_status, zone }) =>
      [`device ${name} is ${trust_status}`, ...(zone ? [`in ${zone}`] : [])].join(' '),
    )
}

function tell(
  run: Run,
  alert: AlertFacts,
  siteId: string,
  signals: AlertFacts[],
  doubtful: string[],
) {
  const all = [alert, ...signals]
  const claim = `A device reports trouble within an hour of ${signals.length} ${signals.length === 1 ? 'alert' : 'alerts'} in the IT of its site`
  const reasons = [
    ...all.slice(0, 10).map(({ title, host }) => (host ? `${title} on ${host}` : title)),
    ...doubtful.slice(0, 10),
  ]
  run.say(claim)
  run.found({
    key: `alert:${alert.id}`,
    kind: 'finding',
    claim,
    reasons,
    weight: 75,
    alertId: alert.id,
    caseId: alert.case_id,
    host: alert.host,
    techniques: alert.mitre_techniques,
    data: { site_id: siteId },
    cites: { alert_ids: all.map(({ id }) => id) },
  })
  const free = all.filter(({ case_id }) => case_id === null)
  const open = all.find(({ case_id }) => case_id !== null)?.case_id
  if (free.length === 0) return
  const alert_ids = free.map(({ id }) => id)
  const cites = { alert_ids: all.map(({ id }) => id) }
  if (open) {
    run.propose({
      key: `link:${open}:${[...alert_ids].sort().join()}`,
      title: 'Add what happened to a device to the case of its site',
      rationale: reasons,
      action: { kind: 'link_alerts', case_id: open, alert_ids },
      cites: { ...cites, case_ids: [open] },
    })
    return
  }
  run.propose({
    key: `cps:${siteId}:${alert.created_at.toISOString().slice(0, 13)}`,
    title: 'Open a case for a device and the IT of its site',
    rationale: reasons,
    action: {
      kind: 'open_case',
      title: `${alert.title} and the IT of its site`.slice(0, 500),
      severity: 'critical',
      description: reasons.join('\n'),
      alert_ids,
      tasks: [
        { title: 'Ask the people at the site whether the process is safe' },
        { title: 'Decide whether the certificate of the device must be revoked' },
      ],
    },
    cites,
  })
}
