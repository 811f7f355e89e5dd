import { notFound } from '@manara/kit/errors'
import type { Case, CaseDetail, CaseListQuery } from '@manara/soc-contract/cases'
import { severityRank } from '../../../db/severity-rank.ts'
import { pageOf } from '../../../showcase/page-of.ts'

/** The list as it would come from the database, over the showcase. */
export function showCases(cases: CaseDetail[], query: CaseListQuery) {
  const key = SORT_KEYS[query.sort]
  const direction = query.order === 'asc' ? 1 : -1
  const shown: Case[] = cases
    .filter((one) => matches(one, query))
    .sort((a, b) => direction * (key(a) - key(b)))
  return pageOf(shown, query)
}

export function showCase(cases: CaseDetail[], id: string): CaseDetail {
  const shown = cases.find((one) => one.id === id)
  if (!shown) throw notFound('case', id)
  return shown
}

const SORT_KEYS: Record<CaseListQuery['sort'], (one: Case) => number> = {
  created_at: (one) => Date.parse(one.created_at),
  updated_at: (one) => Date.parse(one.updated_at),
  severity: (one) => severityRank(one.severity),
}

function matches(one: CaseDetail, query: CaseListQuery): boolean {
  const { status, severity, assignee, from, to, updated_since, q } = query
  if (status !== undefined && one.status !== status) return false
  if (severity !== undefined && one.severity !== severity) return false
  if (assignee !== undefined && one.assignee !== assignee) return false
  if (from && new Date(one.created_at) < from) return false
  if (to && new Date(one.created_at) >= to) return false
  if (updated_since && new Date(one.updated_at) < updated_since) return false
  return (
    q === undefined || `${one.title} ${one.description}`.toLowerCase().includes(q.toLowerCase())
  )
}
