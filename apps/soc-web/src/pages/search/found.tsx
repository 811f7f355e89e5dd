import type { LogList } from '@manara/soc-contract/siem'
import { Empty } from '@manara/ui/parts/empty'
import { useSignal } from '@preact/signals'
import { api, attempt, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { ReadState } from '../../parts/state.tsx'
import { useQuery } from '../../parts/use-query.ts'
import { Groups } from './groups.tsx'
import { Lines } from './lines.tsx'
import { TailLines } from './tail-lines.tsx'
import type { Search } from './use-search.ts'
import { markedWords, type SearchView } from './view.ts'
import { useWords } from './words.ts'

/** What was found: in groups, as it comes, or event by event. */
export function Found({ search }: { search: Search }) {
  const { view, inDrawn, tailed, path, fields, logs, times } = search
  const onCondition = search.addCondition
  // Who may only read gets the events, also by a link to the rest.
  const shows = session.may('siem:search') ? search.shows : 'events'
  if (shows === 'groups') {
    return <Groups key={times} filter={inDrawn} {...{ fields, onCondition }} />
  }
  if (shows === 'tail') {
    return (
      <TailLines
        key={JSON.stringify(tailed)}
        filter={tailed}
        columns={view.columns}
        words={markedWords(view.q)}
        onCondition={onCondition}
      />
    )
  }
  // What is wrong with the query is said below it.
  if (search.problem) return null
  return (
    <ReadState read={logs} rows={12}>
      {(first) => <Pages key={`${path} ${times}`} {...{ first, path, view, onCondition }} />}
    </ReadState>
  )
}

type PagesProps = {
  first: LogList
  path: string
  view: SearchView
  onCondition(field: string, value: string, isWanted: boolean): void
}

/** The answer, and what follows it when asked for. */
function Pages({ first, path, view, onCondition }: PagesProps) {
  const { w } = useWords()
  const query = useQuery()
  const more = useSignal<LogList[]>([])
  const pages = [first, ...more.value]
  const logs = pages.flatMap(({ items }) => items)
  const cursor = pages.at(-1)?.next_cursor
  if (logs.length === 0) {
    return (
      <Empty icon="search" title={w.nothing} text={first.notes.join(' ') || w.nothingText}>
        {view.last !== 'all' && (
          <button
            type="button"
            class="button"
            onClick={() => query.set({ last: 'all', from: null, to: null })}
          >
            {w.longer}
          </button>
        )}
      </Empty>
    )
  }
  return (
    <>
      <Lines
        logs={logs}
        columns={view.columns}
        words={markedWords(view.q)}
        open={view.open}
        onOpen={(id) => query.set({ open: id === view.open ? null : id }, 'replace')}
        onCondition={onCondition}
      />
      {cursor && (
        <p class="load-more">
          <Act
            onClick={() =>
              attempt(async () => {
                const next = await api.get<LogList>(`${path}&cursor=${encodeURIComponent(cursor)}`)
                more.value = [...more.value, next]
              })
            }
          >
            {w.more}
          </Act>
        </p>
      )}
    </>
  )
}
