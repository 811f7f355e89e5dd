import type { Histogram as HistogramAnswer, LogList } from '@manara/soc-contract/siem'
import type { SiemStats } from '@manara/soc-contract/siem-ingest'
import { Empty } from '@manara/ui/parts/empty'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { api, attempt, now, reads, route, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Histogram } from '../../parts/histogram.tsx'
import { ReadState } from '../../parts/state.tsx'
import { useCommands } from '../../parts/use-commands.ts'
import { useQuery } from '../../parts/use-query.ts'
import { useRead } from '../../parts/use-read.ts'
import { BASE, Refused, withQuery } from '../../stores/api.ts'
import { type FieldFact, FieldList } from './field-list.tsx'
import { Groups } from './groups.tsx'
import { Lines } from './lines.tsx'
import { QueryField } from './query-field.tsx'
import { SaveHunt } from './save-hunt.tsx'
import { TailLines } from './tail-lines.tsx'
import { Told } from './told.tsx'
import { markedWords, RANGES, rangeOf, viewOf, withCondition } from './view.ts'
import { useWords } from './words.ts'
import './search.css'

const PARTS = ['critical', 'high', 'medium', 'low', 'info'] as const

export function Page() {
  const { w } = useWords()
  const query = useQuery()
  const view = viewOf(route.search.value)
  // Who may only read gets the events, also by a link to the rest.
  const mayAsk = session.may('siem:search')
  const shows = (mayAsk && query.get('as')) || 'events'
  // The moment of asking stands still until something else is asked: pages of one answer fit together.
  const times = useSignal(0)
  const range = useMemo(
    () => rangeOf(view, now()),
    [view.last, view.from, view.to, view.q, times.value],
  )
  const tailed: Record<string, string> = { ...(view.q && { q: view.q }) }
  const filter = { ...range, ...tailed }
  const drawn = useSignal<{ from: string; to: string } | null>(null)
  const isSaving = useSignal(false)
  const inDrawn = drawn.value ? { ...filter, ...drawn.value } : filter
  const path = withQuery('/siem/logs', { ...inDrawn, limit: 100 })
  const logs = useRead<LogList>(path)
  // All time begins with the oldest event; without a beginning the service counts the last day.
  const isAllTime = view.last === 'all' && !view.from && !view.to
  const stored = useRead<SiemStats>(isAllTime ? '/siem/stats' : null)
  const begin = isAllTime ? (stored.data?.oldest_at ?? null) : undefined
  const counts = useRead<HistogramAnswer>(
    isAllTime && stored.isLoading
      ? null
      : withQuery('/siem/histogram', { ...filter, by: 'severity', ...(begin && { from: begin }) }),
  )
  const fields = useRead<{ items: FieldFact[] }>(withQuery('/siem/fields', filter))
  useEffect(() => {
    drawn.value = null
  }, [JSON.stringify(filter)])

  const run = (q: string) => {
    if (q !== view.q) return query.set({ q: q || null, source: null, open: null })
    // The same once more, of this moment; only without one is it the same to the letter.
    times.value += 1
    if (isAllTime || view.from || view.to) void reads.renew('/siem/')
  }
  const addCondition = (field: string, value: string, isWanted: boolean) =>
    run(withCondition(view.q, field, value, isWanted))
  const zoom = () => drawn.value && query.set({ ...drawn.value, open: null })
  const toggleColumn = (name: string) =>
    query.set({
      column: view.columns.includes(name)
        ? view.columns.filter((one) => one !== name)
        : [
            ...view.columns.filter((one) => one !== 'message'),
            name,
            ...view.columns.filter((one) => one === 'message'),
          ],
    })
  const show = (as: string) => query.set({ as: as === 'events' ? null : as })
  const toggleTail = () => show(shows === 'tail' ? 'events' : 'tail')
  const makeRule = () => route.go(withQuery('/rules/new', { query: view.q }))
  useCommands([
    { id: 'zoom', title: w.zoom, keys: 'z', group: 'page', run: () => void zoom() },
    ...(mayAsk
      ? [
          { id: 'tail', title: w.tail, keys: 'L', group: 'page', run: toggleTail },
          { id: 'group', title: w.count, keys: 'c', group: 'page', run: () => show('groups') },
        ]
      : []),
    ...(session.may('detections:write')
      ? [{ id: 'rule', title: w.rule, group: 'page', run: makeRule }]
      : []),
  ])
  const problem =
    logs.error instanceof Refused && logs.error.status === 400 ? logs.error.message : undefined
  return (
    <div class="search">
      <header class="top search-top">
        <h1 class="hidden">{w.title}</h1>
        <QueryField
          value={view.q}
          fields={fields.data?.items ?? []}
          {...{ range, problem }}
          onRun={run}
        />
        <select
          class="pick"
          aria-label={w.range}
          value={view.from || view.to ? 'drawn' : view.last}
          onChange={({ currentTarget }) =>
            query.set({ last: currentTarget.value, from: null, to: null, open: null })
          }
        >
          {(view.from || view.to) && <option value="drawn">{w.drawn}</option>}
          {RANGES.map((name) => (
            <option key={name} value={name}>
              {w.ranges[name]}
            </option>
          ))}
        </select>
      </header>
      {counts.data && (
        <Histogram
          label={w.histogram}
          bucketMs={counts.data.bucket_s * 1_000}
          buckets={counts.data.buckets.map(({ from, count, counts: parts }) => {
            const known = PARTS.map((name) => parts[name] ?? 0).toReversed()
            const rest = count - known.reduce((sum, one) => sum + one, 0)
            return { from, counts: [rest, ...known] }
          })}
          drawn={drawn.value}
          onDraw={(next) => {
            drawn.value = next
          }}
          zoomLabel={w.zoom}
          onZoom={zoom}
        />
      )}
      <div class="told">
        <Told read={logs.data} countPath={withQuery('/siem/count', inDrawn)} />
        <nav class="does">
          <Act look="plain" onClick={() => show('events')}>
            {w.events}
          </Act>
          {mayAsk && (
            <>
              <Act look="plain" keys="c" onClick={() => show('groups')}>
                {w.count}
              </Act>
              <Act look="plain" keys="L" onClick={toggleTail}>
                {shows === 'tail' ? w.stopTail : w.tail}
              </Act>
              <Act
                look="plain"
                onClick={() => {
                  isSaving.value = true
                }}
              >
                {w.save}
              </Act>
            </>
          )}
          {session.may('detections:write') && (
            <Act look="plain" onClick={makeRule}>
              {w.rule}
            </Act>
          )}
          <a
            class="act"
            data-look="plain"
            href={BASE + withQuery('/siem/export', inDrawn)}
            download="events.ndjson"
          >
            {w.export}
          </a>
        </nav>
      </div>
      <div class="halves">
        <FieldList
          fields={fields.data?.items ?? []}
          filter={filter}
          columns={view.columns}
          onCondition={addCondition}
          onColumn={toggleColumn}
        />
        <section class="found" aria-label={w.events}>
          {shows === 'groups' ? (
            <Groups
              key={times.value}
              filter={inDrawn}
              fields={fields.data?.items ?? []}
              onCondition={addCondition}
            />
          ) : shows === 'tail' ? (
            <TailLines
              key={JSON.stringify(tailed)}
              filter={tailed}
              columns={view.columns}
              words={markedWords(view.q)}
              onCondition={addCondition}
            />
          ) : problem ? null : (
            <ReadState read={logs} rows={12}>
              {(found) => (
                <Pages
                  key={`${path} ${times.value}`}
                  first={found}
                  path={path}
                  view={view}
                  onCondition={addCondition}
                />
              )}
            </ReadState>
          )}
        </section>
      </div>
      {isSaving.value && (
        <SaveHunt
          query={view.q}
          onClose={() => {
            isSaving.value = false
          }}
        />
      )}
    </div>
  )
}

type PagesProps = {
  first: LogList
  path: string
  view: ReturnType<typeof viewOf>
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
