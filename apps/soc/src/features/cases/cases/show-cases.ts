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

/** With the latest of its lists, and how many there are, where that is asked for. */
export function withLatest(one: CaseDetail, latest: number | undefined): CaseDetail {
  if (latest === undefined) return one
  const { timeline, observables, evidence, comments } = one
  return {
    ...one,
    timeline: timeline.slice(-latest),
    observables: observables.slice(-latest),
    evidence: evidence.slice(-latest),
    comments: comments.slice(-latest),
    counts: {
      timeline: timeline.length,
      observables: observables.length,
      evidence: evidence.length,
      comments: comments.length,
    },
  }
}
