import type { AlertEvent, AlertEventsQuery } from '@manara/soc-contract/alert-events'
import type { Alert } from '@manara/soc-contract/alerts'
import type { ListOf } from '@manara/soc-contract/lists'
import type { Log } from '@manara/soc-contract/siem'
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { pageOf } from '../../showcase/query.ts'
import { listAlerts } from './list-alerts.ts'

export type AlertEventSources = {
  /** Ids of the events that whoever raised the alert has counted on it, oldest first. */
  countedEvents: ((db: Kysely<Tables>, alert: Alert) => Promise<string[]>)[]
  /** Without those that are no longer kept, in no order. */
  readEvents(ids: string[]): Promise<Log[]>
}

/** They may be large: more would be in memory at once for nothing. */
const AT_ONCE = 50

/** The events behind an alert. Those that retention took are named, with nothing beside their id. */
export async function alertEvents(
  { countedEvents, readEvents }: AlertEventSources,
  db: Kysely<Tables>,
  alert: Alert,
  query: AlertEventsQuery,
): Promise<ListOf<AlertEvent>> {
  const counted = await Promise.all(countedEvents.map((idsOf) => idsOf(db, alert)))
  const ids = [...new Set([...ownEvents(alert), ...counted.flat()])]
  const { items, ...page } = pageOf(ids, query)
  const events: AlertEvent[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const some = items.slice(at, at + AT_ONCE)
    const stored = new Map((await readEvents(some)).map((event) => [event.id, event]))
    events.push(...some.map((log_id) => ({ log_id, event: stored.get(log_id) ?? null })))
  }
  return { items: events, ...page }
}

/** Others of its host, as many as were asked for, so that whoever shows it asks once. */
export async function relatedTo(
  db: Kysely<Tables>,
  { id, host }: Alert,
  most: number | undefined,
): Promise<{ related?: Alert[] }> {
  if (most === undefined) return {}
  if (!host) return { related: [] }
  // Itself is one of them.
  const asked = { host, skip: 0, limit: most + 1, sort: 'last_seen_at', order: 'desc' } as const
  const { items } = await listAlerts(db, asked)
  return { related: items.filter((one) => one.id !== id).slice(0, most) }
}

/** What the record itself names: the event it was raised for, and those that made the first hit. */
function ownEvents({ source_ref, raw }: Alert): string[] {
  const members = Array.isArray(raw?.log_ids) ? raw.log_ids.filter(isText) : []
  const isEvent = raw !== null && source_ref !== null && raw.id === source_ref
  return [...(isEvent ? [source_ref] : []), ...members]
}

const isText = (value: unknown): value is string => typeof value === 'string'
