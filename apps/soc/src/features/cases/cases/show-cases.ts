import type { CaseDetail, CaseListQuery } from '@manara/soc-contract/cases'
import { severityRank } from '../../../db/severity-rank.ts'
import { hasAsked, isWithin, mentions, showList } from '../../../showcase/query.ts'

export const showCases = (cases: CaseDetail[], query: CaseListQuery) =>
  showList(cases, query, { where, sortBy: SORT_KEYS[query.sort] })

const SORT_KEYS: Record<CaseListQuery['sort'], (one: CaseDetail) => number> = {
  created_at: (one) => Date.parse(one.created_at),
  updated_at: (one) => Date.parse(one.updated_at),
  severity: (one) => severityRank(one.severity),
}

const where = (one: CaseDetail, query: CaseListQuery) =>
  hasAsked(one, query, ['status', 'severity', 'assignee']) &&
  isWithin(query, one.created_at, one.updated_at) &&
  mentions(`${one.title} ${one.description}`, query.q)
