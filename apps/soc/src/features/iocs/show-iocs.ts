import type { Ioc, IocListQuery } from '@manara/soc-contract/iocs'
import { hasAsked, includesAsked, isWithin, mentions, showList } from '../../showcase/query.ts'
import { normaliseIoc } from './domain/normalise.ts'

export const showIocs = (iocs: Ioc[], query: IocListQuery) =>
  showList(iocs, query, {
    where,
    sortBy: (ioc) =>
      query.sort === 'score' || query.sort === 'sightings'
        ? ioc[query.sort]
        : Date.parse(ioc[query.sort]),
  })

function where(ioc: Ioc, query: IocListQuery): boolean {
  const { type, value, min_score = 0, sighted } = query
  const sought = value === undefined ? undefined : normaliseIoc(value, type)
  return (
    hasAsked(ioc, query, ['type', 'tlp', 'revoked']) &&
    (sought === undefined || (typeof sought !== 'string' && sought.value === ioc.value)) &&
    includesAsked(query.source, ioc.sources) &&
    includesAsked(query.tag, ioc.tags) &&
    (sighted === undefined || sighted === ioc.sightings > 0) &&
    ioc.effective_score >= min_score &&
    isWithin(query, ioc.created_at, ioc.updated_at) &&
    mentions(ioc, query.q)
  )
}
