import type { Agent, AgentFinding, AgentRun, AgentsPaused } from '@manara/soc-contract/agents'
import type { ListOf } from '@manara/soc-contract/lists'
import type { Proposal } from '@manara/soc-contract/proposals'
import { Empty } from '@manara/ui/parts/empty'
import { api, attempt, reads, route, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Status } from '../../parts/badges.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Pick } from '../../parts/pick.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { RecordsWithPanel } from '../../parts/records-with-panel.tsx'
import { ReadState } from '../../parts/state.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Age } from '../../parts/when.tsx'
import { Proposals } from './proposals.tsx'
import { useWords } from './words.ts'
import './agents.css'

export function Page() {
  const { w, fill } = useWords()
  const [, , part = ''] = route.path.value.split('/')
  const open = useRead<ListOf<Proposal>>('/agents/proposals?limit=50', { on: ['proposal'] })
  const pause = useRead<AgentsPaused>('/agents/pause', { on: ['agent'] })
  const switchAll = (to: 'pause' | 'resume') =>
    attempt(async () => {
      await api.post(`/agents/${to}`, {})
      await reads.renew('/agents')
    })
  const isPaused = pause.data?.paused ?? false
  return (
    <div class="response">
      <PageHead title={w.title}>
        {session.may('agents:manage') && (
          <Act
            look={isPaused ? 'main' : 'danger'}
            onClick={() => switchAll(isPaused ? 'resume' : 'pause')}
          >
            {isPaused ? w.resume : w.pause}
          </Act>
        )}
        {isPaused && (
          <b class="bad">
            {fill(w.paused, { who: pause.data?.by ?? '', why: pause.data?.reason ?? '–' })}
          </b>
        )}
      </PageHead>
      <Tabs
        label={w.title}
        current={part === 'proposals' || part === 'findings' ? `/agents/${part}` : '/agents'}
        tabs={[
          { href: '/agents', name: w.agents },
          { href: '/agents/proposals', name: w.proposals, count: open.data?.total },
          { href: '/agents/findings', name: w.findings },
        ]}
      />
      {part === 'proposals' ? <Proposals /> : part === 'findings' ? <Findings /> : <Agents />}
    </div>
  )
}

function Agents() {
  const { w } = useWords()
  const { columns } = w
  return (
    <RecordsWithPanel<Agent>
      label={w.agents}
      path="/agents?limit=50"
      on={['agent']}
      empty={<Empty icon="info" title={w.noAgents} text={w.noAgentsText} />}
      columns={[
        {
          name: columns.agent,
          cell: ({ name, description }) => (
            <>
              <b>{name}</b> <span class="soft">{description}</span>
            </>
          ),
        },
        { name: columns.status, cell: ({ status }) => <Status value={status} /> },
        { name: columns.instances, isNumber: true, cell: ({ instances }) => instances },
        {
          name: columns.waiting,
          isNumber: true,
          cell: ({ jobs_waiting }) => jobs_waiting,
        },
        {
          name: columns.running,
          isNumber: true,
          cell: ({ jobs_running }) => jobs_running,
        },
        { name: columns.runs, isNumber: true, cell: ({ runs_24h }) => runs_24h },
        {
          name: columns.errors,
          isNumber: true,
          cell: ({ errors_24h }) => (
            <span class={errors_24h ? 'bad' : undefined}>{errors_24h}</span>
          ),
        },
        {
          name: columns.last,
          isNumber: true,
          cell: ({ last_run_at }) => (last_run_at ? <Age at={last_run_at} /> : '–'),
        },
      ]}
      One={One}
    />
  )
}

/** As many as the service takes. */
const INSTANCES = Array.from({ length: 11 }, (_, n) => ({ value: `${n}`, label: `${n}` }))

function One({ id, onClose }: { id: string; onClose(): void }) {
  const { w } = useWords()
  const read = useRead<Agent>(`/agents/${id}`, { on: ['agent'] })
  const runs = useRead<ListOf<AgentRun>>(`/agents/${id}/runs?limit=20`, { on: ['agent'] })
  const change = (work: () => Promise<unknown>) =>
    attempt(async () => {
      await work()
      await reads.renew('/agents')
    })
  return (
    <Panel label={w.agents} onClose={onClose} title={read.data?.name ?? ''}>
      <ReadState read={read} rows={4}>
        {(agent) => (
          <>
            <p>{agent.description}</p>
            {agent.last_error && <p class="bad">{agent.last_error}</p>}
            {session.may('agents:manage') && (
              <div class="acts">
                <Act
                  onClick={() =>
                    change(() =>
                      api.post(
                        `/agents/${id}/${agent.status === 'disabled' ? 'enable' : 'disable'}`,
                      ),
                    )
                  }
                >
                  {agent.status === 'disabled' ? w.on : w.off}
                </Act>
                <span class="scale">
                  {w.scale}{' '}
                  <Pick
                    label={w.scale}
                    value={String(agent.instances)}
                    options={INSTANCES}
                    onPick={(picked) =>
                      change(() => api.patch(`/agents/${id}/scale`, { instances: Number(picked) }))
                    }
                  />
                </span>
              </div>
            )}
            <p class="soft">
              {w.tools}: {agent.tools.join(', ')}
            </p>
          </>
        )}
      </ReadState>
      <section>
        <h3>{w.runs}</h3>
        <ReadState read={runs} rows={3}>
          {({ items }) =>
            items.length === 0 ? (
              <p class="soft">{w.noRuns}</p>
            ) : (
              <ul class="receipts">
                {items.map((run) => (
                  <li key={run.id}>
                    <Status value={run.status} /> {run.summary} <Age at={run.completed_at} />
                    {run.error && <p class="bad">{run.error}</p>}
                  </li>
                ))}
              </ul>
            )
          }
        </ReadState>
      </section>
    </Panel>
  )
}

function Findings() {
  const { w } = useWords()
  return (
    <RecordTable<AgentFinding>
      label={w.findings}
      path="/agents/findings?limit=100"
      on={['finding']}
      keyOf={({ id }) => id}
      empty={<Empty icon="info" title={w.noFindings} text={w.noFindingsText} />}
      columns={[
        {
          name: w.findings,
          cell: ({ claim, reasons }) => (
            <>
              <b dir="auto">{claim}</b>
              <p class="soft">{reasons.join(' ')}</p>
            </>
          ),
        },
        { name: w.agents, cell: ({ agent_id }) => agent_id },
        { name: w.columns.last, isNumber: true, cell: ({ created_at }) => <Age at={created_at} /> },
      ]}
    />
  )
}
