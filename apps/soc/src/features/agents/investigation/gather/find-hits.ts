import type { Kysely } from 'kysely'
import type { Tables } from '../../../../db/tables.ts'
import type { StoredLog } from '../../../../ports/log-store.ts'
import type { Hit } from '../../domain/investigation/story/reasons.ts'
import {
  hitsOfLogs,
  rulesByIds,
  rulesChangedAt,
  rulesOfOneEvent,
  type StoredHit,
} from './evidence.store.ts'
import type { Plan } from './plan.ts'

/** Which of the rules that are on match; undefined when nothing matches rules here. */
export type MatchLogs = (
  logs: StoredLog[],
) => Promise<{ rule: string; logs: number[] }[] | undefined>

export type HitDeps = {
  db: Kysely<Tables>
  matchLogs: MatchLogs
  now(): number
  plan: Plan
  signal: AbortSignal
}

/** What every gathered event is remembered by; the events themselves only while they are few. */
export type Gathered = {
  ids: string[]
  receivedFrom: number
  receivedTo: number
  logs: StoredLog[]
}

/** Windows of this size are always matched: it takes less than a second. */
const FEW = 2_000
/** Larger ones only when the stored hits may lack something. */
export const MOST_MATCHED = 20_000
const JUST_NOW_MS = 5 * 60_000
const LOGS_AT_ONCE = 100

/** Stored hits first; rules are matched where those cannot be complete. */
export async function findHits(deps: HitDeps, gathered: Gathered): Promise<Hit[]> {
  const { db, now, plan } = deps
  const since = now()
  const stored = await hitsOfLogs(db, gathered.ids)
  const matched = (await mayLackHits(deps, gathered)) ? await match(deps, gathered.logs) : []
  const held = new Set(stored.filter(({ is_held }) => is_held).map(keyOf))
  const alerts = new Map(stored.map((hit) => [keyOf(hit), hit.alert_id]))
  const pairs = new Map<string, { rule_id: string; log_id: string }>()
  for (const hit of [...stored, ...matched]) if (!held.has(keyOf(hit))) pairs.set(keyOf(hit), hit)

  const rules = await rulesByIds(
    db,
    [...new Set([...pairs.values()].map(({ rule_id }) => rule_id))],
    new Date(now()),
  )
  const hits = [...pairs].flatMap(([key, { rule_id, log_id }]): Hit[] => {
    const rule = rules.get(rule_id)
    return rule ? [{ rule, logId: log_id, alertId: alerts.get(key) ?? undefined }] : []
  })
  plan.note('rules that matched these events', hits.length, since)
  // In an order of their own: the database and the matching thread have none.
  return hits.sort((a, b) =>
    a.rule.id + a.logId < b.rule.id + b.logId
      ? -1
      : a.rule.id + a.logId > b.rule.id + b.logId
        ? 1
        : 0,
  )
}

const keyOf = ({ rule_id, log_id }: Pick<StoredHit, 'rule_id' | 'log_id'>) => `${rule_id} ${log_id}`

async function mayLackHits({ db, now }: HitDeps, gathered: Gathered): Promise<boolean> {
  const count = gathered.ids.length
  if (count === 0 || count > MOST_MATCHED) return false
  if (count <= FEW || now() - gathered.receivedTo < JUST_NOW_MS) return true
  return (await rulesChangedAt(db)) > gathered.receivedFrom
}

async function match({ db, matchLogs, signal }: HitDeps, logs: StoredLog[]) {
  const found: { rule_id: string; log_id: string }[] = []
  for (let at = 0; at < logs.length; at += LOGS_AT_ONCE) {
    signal.throwIfAborted()
    const part = logs.slice(at, at + LOGS_AT_ONCE)
    for (const { rule, logs: places } of (await matchLogs(part)) ?? []) {
      for (const place of places) {
        const log = part[place]
        if (log) found.push({ rule_id: rule, log_id: log.id })
      }
    }
  }
  const single = await rulesOfOneEvent(db, [...new Set(found.map(({ rule_id }) => rule_id))])
  return found.filter(({ rule_id }) => single.has(rule_id))
}
