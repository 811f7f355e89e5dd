import { notFound } from '@manara/kit/errors'
import type { Ioc, IocListQuery } from '@manara/soc-contract/iocs'
import { pageOf } from '../../showcase/page-of.ts'
import { normaliseIoc } from './domain/normalise.ts'

/** The list as it would come from the database, over the showcase. */
export function showIocs(iocs: Ioc[], query: IocListQuery) {
  const direction = query.order === 'asc' ? 1 : -1
  const key = (ioc: Ioc) =>
    query.sort === 'score' || query.sort === 'sightings'
      ? ioc[query.sort]
      : Date.parse(ioc[query.sort])
  const shown = iocs
    .filter((ioc) => matches(ioc, query))
    .sort((a, b) => direction * (key(a) - key(b)))
  return pageOf(shown, query)
}

export function showIoc(iocs: Ioc[], id: string): Ioc {
  const ioc = iocs.find((one) => one.id === id)
  if (!ioc) throw notFound('indicator', id)
  return ioc
}

function matches(ioc: Ioc, query: IocListQuery): boolean {
  const { type, value, source, tag, tlp, revoked, min_score = 0, sighted, from, to, q } = query
  const sought = value === undefined ? undefined : normaliseIoc(value, type)
  return (
    (type === undefined || ioc.type === type) &&
    (sought === undefined || (typeof sought !== 'string' && sought.value === ioc.value)) &&
    (source === undefined || ioc.sources.includes(source)) &&
    (tag === undefined || ioc.tags.includes(tag)) &&
    (tlp === undefined || ioc.tlp === tlp) &&
    (revoked === undefined || ioc.revoked === revoked) &&
    (sighted === undefined || sighted === ioc.sightings > 0) &&
    ioc.effective_score >= min_score &&
    (!from || new Date(ioc.created_at) >= from) &&
    (!to || new Date(ioc.created_at) < to) &&
    (!query.updated_since || new Date(ioc.updated_at) >= query.updated_since) &&
    (q === undefined || JSON.stringify(ioc).toLowerCase().includes(q.toLowerCase()))
  )
}
