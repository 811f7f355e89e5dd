import { Site, type SiteListQuery } from '@manara/soc-contract/sites'
import { includesAsked, isAsked, mentions, showList } from '../../showcase/query.ts'
import type { Showcase } from '../../showcase/showcase.ts'

type Shown = Pick<Showcase, 'sites'>

export const shownSites = ({ sites }: Shown): Site[] => sites.map((site) => Site.parse(site))

export const showSites = (shown: Shown, query: SiteListQuery) =>
  showList(shownSites(shown), query, { where })

const where = (
  { profile, ...site }: Site,
  { status, criticality, asset_class, q }: SiteListQuery,
) =>
  isAsked(status, site.status) &&
  isAsked(criticality, profile.criticality) &&
  includesAsked(asset_class?.toLowerCase(), profile.asset_classes) &&
  mentions(`${site.name} ${site.region}`, q)
