import type { Alert, AlertListQuery } from '@manara/soc-contract/alerts'
import { severityRank } from '../../db/severity-rank.ts'
import { hasAsked, includesAsked, isWithin, mentions, showList } from '../../showcase/query.ts'

export const showAlerts = (alerts: Alert[], query: AlertListQuery) =>
  showList(alerts, query, { where, sortBy: SORT_KEYS[query.sort] })

const SORT_KEYS: Record<AlertListQuery['sort'], (alert: Alert) => number> = {
  created_at: (alert) => Date.parse(alert.created_at),
  updated_at: (alert) => Date.parse(alert.updated_at),
  last_seen_at: (alert) => Date.parse(alert.last_seen_at),
  severity: (alert) => severityRank(alert.severity),
  occurrence_count: (alert) => alert.occurrence_count,
}

const EQUAL = ['severity', 'status', 'source', 'assignee', 'case_id', 'rule_id', 'host'] as const

const where = (alert: Alert, query: AlertListQuery) =>
  hasAsked(alert, query, EQUAL) &&
  includesAsked(query.tag, alert.tags) &&
  isWithin(query, alert.created_at, alert.updated_at) &&
  mentions(alert, query.q)
