import type { Investigation, InvestigationSummary } from '@manara/soc-contract/investigation'
import { Empty } from '@manara/ui/parts/empty'
import { useIsHere } from '@manara/ui/use-is-here'
import { useOnce } from '@manara/ui/use-once'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, attempt, reads, route, session } from '../../here.ts'
import { Status } from '../../parts/badges.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RecordName } from '../../parts/record-name.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { isId } from '../../parts/sentence.ts'
import { useQuery } from '../../parts/use-query.ts'
import { Age } from '../../parts/when.tsx'
import { InvestigationPage } from './investigation-page.tsx'
import { useWords } from './words.ts'
import './investigate.css'

export function Page() {
  const [, , id] = route.path.value.split('/')
  return id ? <InvestigationPage key={id} id={id} /> : <List />
}

function List() {
  const { w, percent } = useWords()
  const query = useQuery()
  const about = useSignal(query.get('alert'))
  const { columns } = w
  const isHere = useIsHere()
  const { run, busy } = useOnce(() =>
    attempt(async () => {
      if (about.value.trim() === '') return
      const begun = await api.post<Investigation>('/agents/investigate', {
        alert_context: about.value,
      })
      await reads.renew('/agents/investigations')
      if (!isHere()) return
      // Back must not come to an address that begins another.
      route.go(`/investigate/${begun.id}`, query.get('alert') ? 'replace' : 'push')
    }),
  )
  // Who comes from an alert has said what to look into.
  useEffect(() => {
    if (query.get('alert')) void run()
  }, [])
  return (
    <div>
      <PageHead title={w.title}>
        {session.may('investigation:trigger') && (
          <form
            class="query"
            onSubmit={(event) => {
              event.preventDefault()
              void run()
            }}
          >
            <input
              aria-label={w.about}
              placeholder={w.aboutHint}
              value={about.value}
              onInput={({ currentTarget }) => {
                about.value = currentTarget.value
              }}
            />
            <button
              type="submit"
              class="act"
              data-look="main"
              disabled={about.value.trim() === ''}
              {...busy}
            >
              {w.start}
            </button>
          </form>
        )}
      </PageHead>
      <RecordTable<InvestigationSummary>
        label={w.title}
        path="/agents/investigations?limit=50"
        on={['investigation']}
        keyOf={({ id }) => id}
        onOpen={({ id }) => route.go(`/investigate/${id}`)}
        empty={<Empty icon="compass" title={w.none} text={w.noneText} />}
        columns={[
          {
            name: columns.about,
            cell: ({ request: { alert_context: about } }) =>
              isId(about) ? (
                <RecordName kind="alert" id={about} isPlain />
              ) : (
                <span dir="auto">{about.slice(0, 120)}</span>
              ),
          },
          {
            name: columns.verdict,
            cell: ({ verdict, confidence }) =>
              verdict && (
                <b class={verdict === 'attack' ? 'bad' : undefined}>
                  {w.verdicts[verdict]} {confidence !== null && percent(confidence * 100)}
                </b>
              ),
          },
          {
            name: columns.hosts,
            cell: ({ hosts }) => <span class="mono">{hosts.slice(0, 4).join(', ')}</span>,
          },
          { name: columns.status, cell: ({ status }) => <Status value={status} /> },
          { name: columns.by, cell: ({ requested_by }) => requested_by },
          { name: columns.when, isNumber: true, cell: ({ created_at }) => <Age at={created_at} /> },
        ]}
      />
    </div>
  )
}
