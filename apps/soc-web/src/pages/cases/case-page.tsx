import type { Alert } from '@manara/soc-contract/alerts'
import type { CaseDetail, CaseUpdate } from '@manara/soc-contract/cases'
import type { ListOf } from '@manara/soc-contract/lists'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { api, attempt, notices, reads, route, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Dot, SEVERITIES, Severity } from '../../parts/badges.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Pick } from '../../parts/pick.tsx'
import { KnownNames, RecordName } from '../../parts/record-name.tsx'
import { Said } from '../../parts/said.tsx'
import { ReadState } from '../../parts/state.tsx'
import { useCommands } from '../../parts/use-commands.ts'
import { useRead } from '../../parts/use-read.ts'
import { Age, Moment } from '../../parts/when.tsx'
import { Refused, withQuery } from '../../stores/api.ts'
import { Comments } from './comments.tsx'
import { EvidencePart } from './evidence.tsx'
import { Asked, AT_ONCE, countOf } from './latest.tsx'
import { Merge, Parts } from './merge.tsx'
import { Observables } from './observables.tsx'
import { Tasks } from './tasks.tsx'
import { Timeline } from './timeline.tsx'
import { useWords } from './words.ts'

const STATUSES: CaseDetail['status'][] = [
  'open',
  'investigating',
  'pending_approval',
  'on_hold',
  'resolved',
  'closed',
]

export function CasePage({ id }: { id: string }) {
  const { w } = useWords()
  const asked = useSignal(AT_ONCE)
  const read = useRead<CaseDetail>(
    withQuery(`/cases/${id}`, { latest: asked.value, custody: 'count' }),
    {
      ...{ on: ['case', 'alert'], about: id },
    },
  )
  /** Until more of it is here: what is written and opened on the page stays. */
  const before = useRef<CaseDetail | undefined>(undefined)
  if (read.data || before.current?.id !== id) before.current = read.data
  return (
    <div class="case">
      <PageHead title={w.title}>
        <a class="link" href="/cases">
          {w.all}
        </a>
      </PageHead>
      <Asked.Provider value={asked}>
        <ReadState read={{ ...read, data: before.current }} rows={10}>
          {(found) => <Whole found={found} />}
        </ReadState>
      </Asked.Provider>
    </div>
  )
}

function Whole({ found }: { found: CaseDetail }) {
  const { w, t } = useWords()
  const isMerging = useSignal(false)
  const linked = useRead<ListOf<Alert>>(withQuery('/alerts', { case_id: found.id, limit: 200 }), {
    ...{ on: ['alert'], about: found.id, orListed: true },
  })
  const mayWrite = session.may('cases:write') && found.merged_into === null
  const me = session.me.value?.username ?? ''

  /** Names the version that was read: what somebody else changed meanwhile is not overwritten. */
  const update = (change: CaseUpdate) =>
    attempt(async () => {
      try {
        await api.patch(`/cases/${found.id}?latest=1`, { ...change, version: found.version })
      } catch (error) {
        await reads.renew(`/cases/${found.id}`)
        if (error instanceof Refused && error.status === 409) throw new Error(w.stale)
        throw error
      }
      await reads.renew('/cases')
    })
  const report = () =>
    attempt(async () => {
      const written = await api.post<{ id: string }>('/reports', {
        ...{ report_type: 'investigation', case_id: found.id, format: 'markdown' },
      })
      notices.done(w.reported, { label: w.show, run: () => route.go(`/reports/${written.id}`) })
    })
  const startMerge = () => {
    isMerging.value = true
  }
  useCommands(
    mayWrite
      ? [
          {
            id: 'take',
            title: w.take,
            keys: 'a',
            group: 'page',
            run: () => void update({ assignee: me }),
          },
          { id: 'merge', title: w.merge, keys: 'm', group: 'page', run: startMerge },
          { id: 'report', title: w.report, keys: 'r', group: 'page', run: () => void report() },
        ]
      : [],
  )
  return (
    <div class="case-columns">
      <section class="case-main">
        <header class="case-head">
          <Severity value={found.severity} />
          <h2 dir="auto">{found.title}</h2>
          {found.description && (
            <p class="description" dir="auto">
              {found.description}
            </p>
          )}
          {found.merged_into && (
            <p class="note">
              {w.mergedInto} <RecordName kind="case" id={found.merged_into} />
            </p>
          )}
          {mayWrite && (
            <div class="acts">
              <Act keys="r" look="main" onClick={() => report()}>
                {w.report}
              </Act>
              <Act keys="m" onClick={startMerge}>
                {w.merge}
              </Act>
            </div>
          )}
        </header>
        <Comments found={found} mayWrite={mayWrite} />
        <KnownNames.Provider value={namesOf(linked)}>
          <Timeline entries={found.timeline} total={countOf(found, 'timeline')} />
        </KnownNames.Provider>
      </section>
      <aside class="case-side" aria-label={w.facts}>
        <dl class="facts">
          <dt>{w.columns.status}</dt>
          <dd>
            {mayWrite ? (
              <Pick
                label={w.columns.status}
                value={found.status}
                options={STATUSES.map((value) => ({ value, label: w.statuses[value] ?? value }))}
                onPick={(status) => update({ status })}
              />
            ) : (
              w.statuses[found.status]
            )}
          </dd>
          <dt>{w.severity}</dt>
          <dd>
            {mayWrite ? (
              <Pick
                label={w.severity}
                value={found.severity}
                options={SEVERITIES.map((value) => ({ value, label: t.severity[value] }))}
                onPick={(severity) => update({ severity })}
              />
            ) : (
              t.severity[found.severity]
            )}
          </dd>
          <dt>{w.owner}</dt>
          <dd>
            {found.assignee ?? t.nobody}{' '}
            {mayWrite && found.assignee !== me && (
              <Act look="plain" keys="a" onClick={() => update({ assignee: me })}>
                {w.take}
              </Act>
            )}
          </dd>
          <dt>{w.openedBy}</dt>
          <dd>
            <Said text={found.created_by} />, <Moment at={found.created_at} />
          </dd>
        </dl>
        <Parts found={found} mayWrite={mayWrite} />
        <LinkedAlerts id={found.id} read={linked} />
        <Tasks found={found} mayWrite={mayWrite} />
        <Observables found={found} mayWrite={mayWrite} />
        <EvidencePart found={found} mayWrite={mayWrite} />
      </aside>
      {isMerging.value && (
        <Merge
          into={found}
          onClose={() => {
            isMerging.value = false
          }}
        />
      )}
    </div>
  )
}

const MOST_SHOWN = 50

type Linked = ReturnType<typeof useRead<ListOf<Alert>>>

/** Read together: a timeline names most of them. */
function namesOf({ data, error }: Linked): ReadonlyMap<string, string> | null {
  if (data) return new Map(data.items.map(({ id, title }) => [id, title]))
  return error ? new Map() : null
}

function LinkedAlerts({ id, read }: { id: string; read: Linked }) {
  const { w, count } = useWords()
  return (
    <section>
      <h3>{w.alertsOf}</h3>
      <ReadState read={read} rows={3}>
        {({ items, total }) => (
          <>
            <ul class="list">
              {items.slice(0, MOST_SHOWN).map((alert) => (
                <li key={alert.id}>
                  <Dot value={alert.severity} />
                  <a href={withQuery('/alerts', { case_id: id, status: 'all', open: alert.id })}>
                    <span dir="auto">{alert.title}</span>
                  </a>
                  <Age at={alert.last_seen_at} />
                </li>
              ))}
            </ul>
            {total > MOST_SHOWN && (
              <a class="link" href={withQuery('/alerts', { case_id: id, status: 'all' })}>
                {count(w.allAlerts, total)}
              </a>
            )}
          </>
        )}
      </ReadState>
    </section>
  )
}
