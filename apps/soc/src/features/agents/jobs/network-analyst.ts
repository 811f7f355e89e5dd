import type { StoredLog } from '../../../ports/log-store.ts'
import type { AgentWork, Run } from '../queue/agent-work.ts'
import { isDomain, isOutside, isPublicAddress } from './domain/indicator-kinds.ts'
import { jobOfAlert, textsIn } from './domain/job-of-alert.ts'
import { beaconOf, scanOf } from './domain/traffic.ts'
import { type AlertFacts, alertFacts } from './reads/alert-facts.ts'
import { earliest, isSeen } from './reads/find-events.ts'
import { both, contains, onHost, query, valueIs } from './reads/queries.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const MOST_PLACES = 3
const MOST_EVENTS = 2_000

/** Techniques that show in traffic. */
const NETWORK = /^T(1071|1095|1571|1572|1573|1090|1046|1018|1041|1048|1105|0846|0888)/
const CONNECTED = query('dst_ip:*')

/** Who talks to whom around an alert: beacons, rare places, scans. */
export function createNetworkAnalyst(): AgentWork {
  return {
    jobsOf({ event, data }) {
      if (event !== 'alert.created') return []
      const isNetwork =
        textsIn(data.iocs).some(isPlace) ||
        textsIn(data.mitre_techniques).some((id) => NETWORK.test(id))
      return isNetwork ? [jobOfAlert(data)] : []
    },
    async run({ input, joined }, run) {
      const alert = await alertFacts(run.db, input.alert_id)
      if (!alert) return run.say('the alert is gone')
      const more = joined.length > 0 ? ` (and ${joined.length} of the same host)` : ''
      for (const place of alert.iocs.filter(isPlace).slice(0, MOST_PLACES)) {
        await lookAt(run, alert, place)
      }
      if (alert.host !== null) await lookForScan(run, alert, alert.host)
      run.say(`traffic around ${alert.title}${more}`)
    },
  }
}

const isPlace = (value: string) => isPublicAddress(value) || isDomain(value)

async function lookAt(run: Run, alert: AlertFacts, place: string) {
  const at = alert.last_seen_at.getTime()
  const around = { from: at - DAY, to: at + DAY }
  const logs = await earliest(run, { query: namesPlace(place), time: around }, MOST_EVENTS)
  run.step(`events with ${place}`, logs.length)
  const hosts = Map.groupBy(logs, ({ host }) => host)
  for (const [host, some] of hosts) tellBeacon(run, alert, place, host, some)
  await tellRare(run, alert, place, logs)
}

const namesPlace = (place: string) => (isDomain(place) ? contains(place) : valueIs('dst_ip', place))

function tellBeacon(
  run: Run,
  alert: AlertFacts,
  place: string,
  host: string | null,
  logs: StoredLog[],
) {
  const beacon = beaconOf(logs.map(({ at }) => at))
  if (!beacon) return
  run.found({
    key: `beacon:${host}:${place}`,
    kind: 'finding',
    claim: `${host ?? 'A host'} calls ${place} every ${describe(beacon.everyMs)}, ${beacon.count} times within two days`,
    reasons: ['Programs call at even intervals, people do not.'],
    weight: 60,
    alertId: alert.id,
    host,
    techniques: ['T1071'],
    data: { place, every_ms: beacon.everyMs, count: beacon.count },
    cites: { alert_ids: [alert.id], log_ids: logs.slice(-20).map(({ id }) => id) },
  })
}

/** A place that only this host talks to, and only since today. */
async function tellRare(run: Run, alert: AlertFacts, place: string, logs: StoredLog[]) {
  const hosts = new Set(logs.flatMap(({ host }) => host?.toLowerCase() ?? []))
  const [first] = logs
  if (!first || hosts.size !== 1 || alert.severity === 'info' || !isOutside(place)) return
  const weekBefore = { from: first.at - 7 * DAY, to: first.at }
  if (await isSeen(run, { query: namesPlace(place), time: weekBefore })) return
  // Without traffic of other days nothing can be called rare.
  const otherDays = { from: first.at - 7 * DAY, to: first.at - DAY }
  if (!(await isSeen(run, { query: CONNECTED, time: otherDays }))) return
  run.found({
    key: `rare:${place}`,
    kind: 'finding',
    claim: `Nobody talked to ${place} in the week before, and only ${first.host} does now`,
    reasons: [],
    weight: 40,
    alertId: alert.id,
    host: first.host,
    data: { place },
    cites: { alert_ids: [alert.id], log_ids: logs.slice(0, 20).map(({ id }) => id) },
  })
}

async function lookForScan(run: Run, alert: AlertFacts, host: string) {
  const at = alert.last_seen_at.getTime()
  const around = { from: at - 10 * MINUTE, to: at + 10 * MINUTE }
  const connections = { query: both(CONNECTED, onHost(host)), time: around }
  const logs = await earliest(run, connections, MOST_EVENTS)
  const scan = scanOf(
    logs.map(({ id, at, dst_ip, fields }) => ({
      id,
      at,
      to: dst_ip ?? '',
      port: portOf(fields),
    })),
  )
  if (!scan) return
  const target =
    scan.what === 'hosts' ? `${scan.count} addresses` : `${scan.count} ports of ${scan.some[0]?.to}`
  run.found({
    key: `scan:${host}:${new Date(at).toISOString().slice(0, 13)}`,
    kind: 'finding',
    claim: `${host} tried ${target} within five minutes`,
    reasons: [],
    weight: 55,
    alertId: alert.id,
    host,
    techniques: ['T1046'],
    data: { what: scan.what, count: scan.count },
    cites: { alert_ids: [alert.id], log_ids: scan.some.slice(0, 50).map(({ id }) => id) },
  })
}

const portOf = (fields: StoredLog['fields']): string | null => {
  const port =
    fields.DestinationPort ?? fields['destination.port'] ?? fields.dest_port ?? fields['id.resp_p']
  return port === undefined || port === null ? null : String(port)
}

const describe = (ms: number) =>
  ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`
