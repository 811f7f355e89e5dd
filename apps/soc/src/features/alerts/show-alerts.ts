import { notFound } from '@manara/kit/errors'
import type { Alert, AlertListQuery } from '@manara/soc-contract/alerts'
import { severityRank } from '../../db/severity-rank.ts'
import { pageOf } from '../../showcase/page-of.ts'

/** The list as it would come from the database, over the showcase. */
export function showAlerts(alerts: Alert[], query: AlertListQuery) {
  const key = SORT_KEYS[query.sort]
  const direction = query.order === 'asc' ? 1 : -1
  const shown = alerts
    .filter((alert) => matches(alert, query))
    .sort((a, b) => direction * (key(a) - key(b)))
  return pageOf(shown, query)
}

export function showAlert(alerts: Alert[], id: string): Alert {
  const alert = alerts.find((one) => one.id === id)
  if (!alert) throw notFound('alert', id)
  return alert
}

const SORT_KEYS: Record<AlertListQuery['sort'], (alert: Alert) => number> = {
  created_at: (alert) => Date.parse(alert.created_at),
  updated_at: (alert) => Date.parse(alert.updated_at),
  last_seen_at: (alert) => Date.parse(alert.last_seen_at),
  severity: (alert) => severityRank(alert.severity),
  occurrence_count: (alert) => alert.occurrence_count,
}

const EQUAL = ['severity', 'status', 'source', 'assignee', 'case_id', 'rule_id', 'host'] as const

function matches(alert: Alert, query: AlertListQuery): boolean {
  const { tag, from, to, updated_since, q } = query
  if (!EQUAL.every((name) => query[name] === undefined || alert[name] === query[name])) return false
  if (tag !== undefined && !alert.tags.includes(tag)) return false
  if (from && new Date(alert.created_at) < from) return false
  if (to && new Date(alert.created_at) >= to) return false
  if (updated_since && new Date(alert.updated_at) < updated_since) return false
  return q === undefined || JSON.stringify(alert).toLowerCase().includes(q.toLowerCase())
}
