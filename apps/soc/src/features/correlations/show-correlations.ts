import type { Correlation, CorrelationListQuery } from '@manara/soc-contract/correlations'
import { hasAsked, isWithin, mentions, showList } from '../../showcase/query.ts'

export const showCorrelations = (correlations: Correlation[], query: CorrelationListQuery) =>
  showList(correlations, query, { where, sortBy: (one) => Date.parse(one[query.sort]) })

const where = (one: Correlation, query: CorrelationListQuery) =>
  hasAsked(one, query, ['rule_id', 'severity', 'site_id', 'zone', 'host']) &&
  (query.evidence_id === undefined || one.evidence.some(({ id }) => id === query.evidence_id)) &&
  isWithin(query, one.created_at, one.updated_at) &&
  mentions(one, query.q)
