import type { ListOf } from '@manara/soc-contract/lists'
import { Empty } from '@manara/ui/parts/empty'
import { route, session } from '../../here.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { ApiKeys } from './api-keys.tsx'
import { Audit } from './audit.tsx'
import { Parsers } from './parsers/parsers.tsx'
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
  const isAdmin = session.me.value?.role === 'admin'
  const views = [
    ...(session.may('siem:read')
      ? [
          { part: '', name: w.sources, View: Sources },
          { part: 'parsers', name: w.parsers, View: Parsers },
        ]
      : []),
    ...(isAdmin ? [{ part: 'users', name: w.users, View: Users }] : []),
    { part: 'second-factor', name: w.factor.title, View: SecondFactor },
    ...(isAdmin
      ? [
          { part: 'single-sign-on', name: w.sso.title, View: SingleSignOn },
          { part: 'api-keys', name: w.keys.title, View: ApiKeys },
        ]
      : []),
    ...(session.may('soar:manage')
      ? [{ part: 'secrets', name: w.secrets.title, View: Secrets }]
      : []),
    ...(session.may('siem:read')
      ? [{ part: 'retention', name: w.retention.title, View: Retention }]
      : []),
    ...(session.may('audit:read') ? [{ part: 'audit', name: w.audit, View: Audit }] : []),
    ...(session.may('sites:read') ? [{ part: 'sites', name: w.sites, View: Sites }] : []),
  ]
  const [, , part = ''] = route.path.value.split('/')
  const shown = views.find((one) => one.part === part) ?? views[0]
  const hrefOf = (one: string) => (one ? `/admin/${one}` : '/admin')
  return (
    <div class="response">
      <PageHead title={w.title} />
      <Tabs
        label={w.title}
        current={hrefOf(shown?.part ?? '')}
        tabs={views.map((one) => ({ href: hrefOf(one.part), name: one.name }))}
      />
      {shown && <shown.View />}
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
        empty={<Empty icon="pin" title={w.noSites} text="" />}
        columns={[
          { name: w.columns.site, cell: ({ name }) => <b>{name}</b> },
          { name: w.columns.status, cell: ({ status }) => status },
        ]}
      />
    </div>
  )
}
