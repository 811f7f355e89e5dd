import type { ListOf } from '@manara/soc-contract/lists'
import { Empty } from '@manara/ui/parts/empty'
import type { ComponentType } from 'preact'
import { route, session } from '../../here.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { ApiKeys } from './api-keys.tsx'
import { Audit } from './audit.tsx'
import { Parsers } from './parsers/parsers.tsx'
import { ADMIN_PARTS, type AdminPart, maySee } from './parts.ts'
import { Retention } from './retention.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Secrets } from './secrets.tsx'
import { SingleSignOn } from './single-sign-on.tsx'
import { Sources } from './sources.tsx'
import { Users } from './users.tsx'
import { useWords } from './words.ts'
import './admin.css'

type Site = ListOf<{ id: string; name: string; status: string }>['items'][number]

export function Page() {
  const { w } = useWords()
  const views: Record<AdminPart['name'], { name: string; View: ComponentType }> = {
    sources: { name: w.sources, View: Sources },
    parsers: { name: w.parsers, View: Parsers },
    users: { name: w.users, View: Users },
    'second-factor': { name: w.factor.title, View: SecondFactor },
    'single-sign-on': { name: w.sso.title, View: SingleSignOn },
    'api-keys': { name: w.keys.title, View: ApiKeys },
    secrets: { name: w.secrets.title, View: Secrets },
    retention: { name: w.retention.title, View: Retention },
    audit: { name: w.audit, View: Audit },
    sites: { name: w.sites, View: Sites },
  }
  const parts = ADMIN_PARTS.filter((one) => maySee(one, session.me.value?.role, session.may))
  const [, , asked] = route.path.value.split('/')
  const part = (parts.find(({ name }) => name === asked) ?? parts[0])?.name
  const View = part && views[part].View
  return (
    <div class="response">
      <PageHead title={w.title} />
      <Tabs
        label={w.title}
        current={`/admin/${part}`}
        tabs={parts.map(({ name }) => ({ href: `/admin/${name}`, name: views[name].name }))}
      />
      {View && <View />}
    </div>
  )
}

function Sites() {
  const { w } = useWords()
  return (
    <div class="admin-list">
      <RecordTable<Site>
        label={w.sites}
        path="/sites?limit=100"
        on={['site']}
        keyOf={({ id }) => id}
        empty={<Empty icon="pin" title={w.noSites} text={w.noSitesText} />}
        columns={[
          { name: w.columns.site, cell: ({ name }) => <b>{name}</b> },
          { name: w.columns.status, cell: ({ status }) => w.siteStatuses[status] },
        ]}
      />
    </div>
  )
}
