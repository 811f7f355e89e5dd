import type { Query } from '@manara/log-query/ast'
import type { Conclusion } from '@manara/soc-contract/investigation'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../../db/tables.ts'
import type { LogStore, StoredLog } from '../../../../ports/log-store.ts'
import type { Mention, Mentions } from '../../domain/investigation/request/read-request.ts'
import {
  alertsByIds,
  alertsNamedIn,
  alertsOfCases,
  hitsOfAlert,
  type KnownAlert,
} from './evidence.store.ts'
import type { Plan } from './plan.ts'
import { and, sightingsOf, withIds } from './queries.ts'

export type Anchor = {
  kind: NonNullable<Conclusion['anchor']>['kind']
  id: string | null
  value: string | null
  title: string | null
  /** By the store's time: that is what windows are asked for. */
  at: number
  /** Empty when retention has taken them. */
  logs: StoredLog[]
  host: string | null
  alert: KnownAlert | undefined
}

export type LookedFor = Conclusion['looked_for']

type Deps = { db: Kysely<Tables>; logs: Pick<LogStore, 'byId'>; plan: Plan; now(): number }

const DAY_MS = 86_400_000
const MONTH_MS = 30 * DAY_MS
const WEEK_MS = 7 * DAY_MS
const HOUR_MS = 3_600_000
const MOST_EVENTS = 200
const MOST_IDS = 10
const MOST_INDICATORS = 12

/** What the request is about: what it names by id, else the rarest thing it names that was seen. */
export async function findAnchor(
  deps: Deps,
  text: string,
  mentions: Mentions,
): Promise<{ anchor: Anchor | undefined; lookedFor: LookedFor }> {
  const lookedFor: LookedFor = []
  const ids = mentions.all.filter(({ type }) => type === 'id').map(({ value }) => value)
  const named = await findNamed(deps, ids, mentions.at, lookedFor)
  if (named) return { anchor: named, lookedFor }
  const [titled] = await alertsNamedIn(deps.db, text, new Date(deps.now() - MONTH_MS))
  if (titled) {
    lookedFor.push({ type: 'title', value: titled.title, found: true })
    return { anchor: await ofAlert(deps, titled, mentions.at), lookedFor }
  }
  return { anchor: await findSighting(deps, mentions, lookedFor), lookedFor }
}

async function findNamed(
  deps: Deps,
  ids: string[],
  at: number | undefined,
  lookedFor: LookedFor,
): Promise<Anchor | undefined> {
  const since = deps.now()
  const asked = ids.slice(0, MOST_IDS)
  if (asked.length === 0) return undefined
  const [alert] = [...(await alertsByIds(deps.db, asked)), ...(await alertsOfCases(deps.db, asked))]
  const logs = alert ? [] : await Promise.all(asked.map((id) => deps.logs.byId(id)))
  const log = logs.find((one) => one !== undefined)
  deps.plan.note('look up the records that the request names', alert || log ? 1 : 0, since)
  for (const id of asked) {
    lookedFor.push({ type: 'id', value: id, found: id === alert?.id || id === log?.id })
  }
  if (alert) return ofAlert(deps, alert, at)
  return log
    ? { ...ofLog(log), kind: 'log', id: log.id, value: null, title: null, alert: undefined }
    : undefined
}

const ofLog = (log: StoredLog) => ({ at: log.at, logs: [log], host: log.host })

/** Its newest event, or the one nearest to the moment that the request names. */
async function ofAlert(deps: Deps, alert: KnownAlert, at: number | undefined): Promise<Anchor> {
  const logs = await eventsOf(deps, alert)
  const wanted = at ?? Number.POSITIVE_INFINITY
  const nearest = logs.toSorted(
    (a, b) => distance(a.at, wanted) - distance(b.at, wanted) || (a.id < b.id ? -1 : 1),
  )
  const [first] = nearest
  const about = { kind: 'alert', id: alert.id, value: null, title: alert.title, alert } as const
  if (!first) {
    return { ...about, at: alert.last_seen_at.getTime(), logs: [], host: alert.host }
  }
  // Of an alert that lasts for days, what lies around the event that is looked at.
  const near = nearest.filter((one) => Math.abs(one.at - first.at) <= HOUR_MS / 2)
  return { ...about, ...ofLog(first), logs: near }
}

/** Most were claimed as they arrived; what a rule found later among old events is looked up. */
async function eventsOf(deps: Deps, alert: KnownAlert): Promise<StoredLog[]> {
  const hits = await hitsOfAlert(deps.db, alert.id, MOST_EVENTS)
  const claimed = hits.map(({ claimed_at }) => claimed_at.getTime())
  const [newest = 0] = claimed
  const asked = {
    step: 'events of the alert',
    query: withIds(hits.map(({ log_id }) => log_id)),
    time: {},
    received: { from: (claimed.at(-1) ?? 0) - DAY_MS, to: newest + HOUR_MS },
  }
  const { logs } =
    hits.length === 0
      ? { logs: [] }
      : await deps.plan.search(asked, { limit: MOST_EVENTS, countUpTo: 0 })
  if (logs.length > 0) return logs
  const ids = [...hits.slice(0, MOST_IDS).map(({ log_id }) => log_id), alert.source_ref ?? '']
  const found = await Promise.all(ids.filter(Boolean).map((id) => deps.logs.byId(id)))
  return found.filter((log) => log !== undefined)
}

const distance = (at: number, wanted: number) =>
  wanted === Number.POSITIVE_INFINITY ? -at : Math.abs(at - wanted)

type Seen = { mention: Mention; total: number; newest: StoredLog }

/** The newest sighting, of what arrived within a week, of what was seen least. */
async function findSighting(
  deps: Deps,
  mentions: Mentions,
  lookedFor: LookedFor,
): Promise<Anchor | undefined> {
  const { at } = mentions
  const received = { from: deps.now() - WEEK_MS }
  const time = at === undefined ? {} : { from: at - HOUR_MS, to: at + HOUR_MS }
  const things = mentions.all
    .filter(({ type }) => type !== 'id' && type !== 'technique')
    .slice(0, MOST_INDICATORS)
  const newestOf = async (mention: Mention, query: Query): Promise<Seen | undefined> => {
    const asked = { step: `sightings of ${mention.value}`, query, time, received }
    const { logs, total } = await deps.plan.search(asked, { limit: 1, countUpTo: 10_000 })
    const [newest] = logs
    return newest && { mention, total: total ?? 1, newest }
  }
  const seen: Seen[] = []
  for (const mention of things) {
    const found = await newestOf(mention, sightingsOf(mention))
    lookedFor.push({ ...mention, found: found !== undefined })
    if (found) seen.push(found)
  }
  const rarest = seen.toSorted((a, b) => a.total - b.total)[0]
  if (!rarest) return undefined
  const all = and(...seen.map(({ mention }) => sightingsOf(mention)))
  const together = seen.length > 1 ? await newestOf(rarest.mention, all) : undefined
  const { mention, newest } = together ?? rarest
  return {
    kind: 'indicator',
    id: null,
    value: together ? seen.map((one) => one.mention.value).join(' ') : mention.value,
    title: null,
    ...ofLog(newest),
    alert: undefined,
  }
}
