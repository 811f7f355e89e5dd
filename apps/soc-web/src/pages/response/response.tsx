import type { Approval } from '@manara/soc-contract/approvals'
import type { ListOf } from '@manara/soc-contract/lists'
import { route, session } from '../../here.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Approvals } from './approvals.tsx'
import { Endpoints } from './endpoints.tsx'
import { Executions } from './executions.tsx'
import { Playbooks } from './playbooks.tsx'
import { useWords } from './words.ts'
import './response.css'

const VIEWS = {
  approvals: Approvals,
  playbooks: Playbooks,
  executions: Executions,
  endpoints: Endpoints,
} as const

export function Page() {
  const { w } = useWords()
  const mayDecide = session.may('approvals:manage')
  const waiting = useRead<ListOf<Approval>>(mayDecide ? '/approvals?order=asc&limit=50' : null, {
    on: ['approval'],
  })
  const [, , asked = mayDecide ? 'approvals' : 'playbooks'] = route.path.value.split('/')
  const isThere = Object.hasOwn(VIEWS, asked) && (asked !== 'approvals' || mayDecide)
  const name = (isThere ? asked : 'playbooks') as keyof typeof VIEWS
  const View = VIEWS[name]
  return (
    <div class="response">
      <PageHead title={w.title} />
      <Tabs
        label={w.title}
        current={`/response/${name}`}
        tabs={[
          ...(mayDecide
            ? [{ href: '/response/approvals', name: w.approvals, count: waiting.data?.total }]
            : []),
          { href: '/response/playbooks', name: w.playbooks },
          { href: '/response/executions', name: w.executions },
          ...(session.may('edr:read') ? [{ href: '/response/endpoints', name: w.endpoints }] : []),
        ]}
      />
      <View />
    </div>
  )
}
