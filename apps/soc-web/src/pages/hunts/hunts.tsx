import type { Hunt, HuntResult, HuntRun } from '@manara/soc-contract/hunts'
import type { ListOf } from '@manara/soc-contract/lists'
import { Empty } from '@manara/ui/parts/empty'
import { Trend } from '@manara/ui/parts/trend'
import { useIsHere } from '@manara/ui/use-is-here'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RecordsWithPanel } from '../../parts/records-with-panel.tsx'
import { ReadState } from '../../parts/state.tsx'
import { Sure } from '../../parts/sure.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Age, localTime } from '../../parts/when.tsx'
import { withQuery } from '../../stores/api.ts'
import { wholeQuery } from './whole-query.ts'
import { useWords } from './words.ts'

export function Page() {
  const { w, number } = useWords()
  const { columns } = w
  return (
    <RecordsWithPanel<Hunt>
      above={<PageHead title={w.title} />}
      label={w.title}
      path="/siem/hunts?limit=100"
      empty={
        <Empty icon="search" title={w.emptyTitle} text={w.emptyText}>
          <a class="button" href="/search">
            {w.toSearch}
          </a>
        </Empty>
      }
      columns={[
        { name: columns.hunt, cell: ({ title }) => <b dir="auto">{title}</b> },
        {
          name: columns.query,
          cell: (hunt) => <code class="mono">{wholeQuery(hunt).slice(0, 160)}</code>,
        },
        { name: columns.by, cell: ({ created_by }) => created_by },
        { name: columns.shared, cell: ({ sharing_mode }) => w.sharing[sharing_mode] },
        {
          name: columns.found,
          isNumber: true,
          cell: ({ last_match_count }) =>
            last_match_count === null ? '–' : number(last_match_count),
        },
        {
          name: columns.run,
          isNumber: true,
          cell: ({ last_run_at }) => (last_run_at ? <Age at={last_run_at} /> : '–'),
        },
      ]}
      One={One}
    />
  )
}

function One({ id, onClose }: { id: string; onClose(): void }) {
  const { w, count, fill } = useWords()
  const isAsking = useSignal(false)
  const isHere = useIsHere()
  const read = useRead<Hunt>(`/siem/hunts/${id}`)
  const runs = useRead<ListOf<HuntRun>>(`/siem/hunts/${id}/runs?limit=50`)
  const run = () =>
    attempt(async () => {
      const result = await api.post<HuntResult>(`/siem/hunts/${id}/run`, {})
      await reads.renew('/siem/hunts')
      notices.done(count(w.ran, result.total))
    })
  const remove = () =>
    attempt(async () => {
      await api.remove(`/siem/hunts/${id}`)
      await reads.renew('/siem/hunts')
      notices.done(w.removed)
      if (isHere()) onClose()
    })
  return (
    <Panel label={w.title} onClose={onClose} title={read.data?.title ?? ''}>
      <ReadState read={read} rows={3}>
        {(hunt) => (
          <>
            {hunt.description && <p dir="auto">{hunt.description}</p>}
            <code class="mono">{wholeQuery(hunt) || '*'}</code>
            <div class="acts">
              {session.may('siem:search') && (
                <Act look="main" onClick={() => run()}>
                  {w.run}
                </Act>
              )}
              <a class="act" href={withQuery('/search', { q: wholeQuery(hunt), last: 'all' })}>
                {w.inSearch}
              </a>
              {hunt.created_by === session.me.value?.username && (
                <Act
                  look="danger"
                  onClick={() => {
                    isAsking.value = true
                  }}
                >
                  {w.remove}
                </Act>
              )}
            </div>
            {isAsking.value && (
              <Sure
                title={fill(w.removeTitle, { title: hunt.title })}
                text={w.removeText}
                label={w.remove}
                onSure={remove}
                onClose={() => {
                  isAsking.value = false
                }}
              />
            )}
          </>
        )}
      </ReadState>
      <ReadState read={runs} rows={3}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="soft">{w.noRuns}</p>
          ) : (
            <Trend
              label={w.runs}
              names={['']}
              points={items
                .toReversed()
                .map(({ started_at, match_count }) => ({ at: started_at, values: [match_count] }))}
              when={localTime}
            />
          )
        }
      </ReadState>
    </Panel>
  )
}
