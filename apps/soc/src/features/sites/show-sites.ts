import { notFound } from '@manara/kit/errors'
import { Site, type SiteListQuery } from '@manara/soc-contract/sites'
import { pageOf } from '../../showcase/page-of.ts'
import type { Showcase } from '../../showcase/showcase.ts'

type Shown = Pick<Showcase, 'sites'>

export const shownSites = ({ sites }: Shown): Site[] => sites.map((site) => Site.parse(site))

export function showSites(shown: Shown, query: SiteListQuery) {
  const { status, criticality, asset_class, q } = query
  const sites = shownSites(shown).filter(
    ({ profile, ...site }) =>
      (status === undefined || site.status === status) &&
      (criticality === undefined || profile.criticality === criticality) &&
      (asset_class === undefined || profile.asset_classes.includes(asset_class.toLowerCase())) &&
      (q === undefined || `${site.name} ${site.region}`.toLowerCase().includes(q.toLowerCase())),
  )
  return pageOf(sites, query)
}

export function showSite(shown: Shown, id: string): Site {
  const site = shownSites(shown).find((one) => one.id === id)
  if (!site) throw notFound('site', id)
  return site
}
