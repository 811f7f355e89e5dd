import type { Conclusion, InvestigatedIndicator } from '@manara/soc-contract/investigation'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../../db/tables.ts'
import { hostOf } from '../../domain/investigation/evidence/names.ts'
import type { Mention } from '../../domain/investigation/request/read-request.ts'
import { alertsAround, alertsByIds, type KnownAlert } from './evidence.store.ts'
import type { Plan } from './plan.ts'
import { sightingsOf } from './queries.ts'

const WEEK_MS = 7 * 86_400_000
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MOST_INDICATORS = 10
const MOST_ALERTS = 50
const MOST_COUNTED = 10_000

/** Each indicator a week to both sides of the anchor. */
export async function sightingsAround(
  plan: Plan,
  indicators: Mention[],
  at: number,
): Promise<InvestigatedIndicator[]> {
  const found: InvestigatedIndicator[] = []
  const time = { from: at - WEEK_MS, to: at + WEEK_MS }
  for (const indicator of indicators.slice(0, MOST_INDICATORS)) {
    const { type, value } = indicator
    if (type === 'id' || !plan.mayAsk()) continue
    const asked = { step: `a week around: ${value}`, query: sightingsOf(indicator), time }
    const newest = await plan.search(asked, { limit: 1, countUpTo: MOST_COUNTED })
    const total = newest.total ?? newest.logs.length
    const oldest =
      total > 1 ? await plan.search(asked, { limit: 1, countUpTo: 0, order: 'asc' }) : newest
    const hosts = total > 0 && plan.mayAsk() ? await plan.hostsOf(asked, 20) : []
    found.push({
      value,
      type,
      sightings: total,
      is_count_exact: newest.isTotalExact,
      first_seen_at: momentOf(oldest.logs[0]?.at),
      last_seen_at: momentOf(newest.logs[0]?.at),
      hosts: [...new Set(hosts.map(hostOf))].sort(),
    })
  }
  return found
}

/**
 * Alerts about what was found, about other events of the window, and those on the same hosts or
 * with the same indicators within a day.
 */
export async function alertsRelated(
  db: Kysely<Tables>,
  story: {
    hosts: string[]
    values: string[]
    /** Of what is cited. */
    alertIds: string[]
    /** Of everything in the window. */
    alertsInWindow: string[]
    from: number
    to: number
  },
): Promise<{ related: Conclusion['related_alerts']; sites: string[] }> {
  const { hosts, values, alertIds } = story
  const [same, around] = await Promise.all([
    alertsByIds(db, [...new Set([...alertIds, ...story.alertsInWindow])].slice(0, MOST_ALERTS)),
    alertsAround(db, {
      hosts,
      values,
      from: new Date(story.from - DAY_MS),
      to: new Date(story.to + DAY_MS),
      most: MOST_ALERTS,
    }),
  ])
  const alerts = new Map<string, KnownAlert>()
  for (const alert of [...same, ...around]) alerts.set(alert.id, alert)
  const isSame = new Set(alertIds)
  const related = [...alerts.values()].slice(0, MOST_ALERTS).map((alert) => ({
    id: alert.id,
    title: alert.title,
    severity: alert.severity,
    status: alert.status,
    host: alert.host,
    relation: isSame.has(alert.id)
      ? ('same_events' as const)
      : alert.iocs.some((ioc) => values.includes(ioc))
        ? ('same_indicator' as const)
        : ('same_host' as const),
    last_seen_at: alert.last_seen_at.toISOString(),
  }))
  const sites = [...alerts.values()].flatMap(({ site_id }) => site_id ?? [])
  return { related, sites: [...new Set(sites)].sort() }
}

/** What the devices of a site said; handed in by whoever keeps them. */
export type DevicesOf = (
  siteIds: string[],
  time: { from: Date; to: Date },
) => Promise<{ devices: Record<string, unknown>[]; attestations: Record<string, unknown>[] }>

export async function deviceSignals(
  devicesOf: DevicesOf | undefined,
  siteIds: string[],
  at: number,
): Promise<NonNullable<Conclusion['cps']>> {
  if (siteIds.length === 0) {
    const note = 'none of the hosts belongs to a site: put endpoints at their sites to see devices'
    return { site_ids: [], devices: [], attestations: [], note }
  }
  if (!devicesOf) {
    const note = 'no devices are kept here: nothing can be said about those of the site'
    return { site_ids: siteIds, devices: [], attestations: [], note }
  }
  const time = { from: new Date(at - HOUR_MS), to: new Date(at + HOUR_MS) }
  const { devices, attestations } = await devicesOf(siteIds, time)
  const note = `${attestations.length} attestations of ${devices.length} devices within an hour`
  return { site_ids: siteIds, devices, attestations, note }
}

const momentOf = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())
