import type { Histogram, LogList } from '@manara/soc-contract/siem'
import type { SiemStats } from '@manara/soc-contract/siem-ingest'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { now, reads, route } from '../../here.ts'
import { useQuery } from '../../parts/use-query.ts'
import { useRead } from '../../parts/use-read.ts'
import { Refused, withQuery } from '../../stores/api.ts'
import type { FieldFact } from './field-list.tsx'
import { rangeOf, type SearchView, viewOf, withCondition } from './view.ts'

type Filter = Record<string, string>
export type Drawn = { from: string; to: string } | null
export type Search = ReturnType<typeof useSearch>

/** What is asked for, as of which moment, and what was answered. */
export function useSearch() {
  const query = useQuery()
  const view = viewOf(route.search.value)
  // The moment of asking stands still until something else is asked: pages of one answer fit together.
  const times = useSignal(0)
  const range = useMemo(
    () => rangeOf(view, now()),
    [view.last, view.from, view.to, view.q, times.value],
  )
  const tailed: Filter = { ...(view.q && { q: view.q }) }
  const filter: Filter = { ...range, ...tailed }
  const drawn = useSignal<Drawn>(null)
  const inDrawn: Filter = { ...filter, ...drawn.value }
  const path = withQuery('/siem/logs', { ...inDrawn, limit: 100 })
  const logs = useRead<LogList>(path)
  const counts = useCounts(view, filter)
  const fields = useRead<{ items: FieldFact[] }>(withQuery('/siem/fields', filter))
  useEffect(() => {
    drawn.value = null
  }, [JSON.stringify(filter)])

  function run(q: string) {
    if (q !== view.q) return query.set({ q: q || null, source: null, open: null })
    // The same once more, of this moment; only without one is it the same to the letter.
    times.value += 1
    if (view.last === 'all' || view.from || view.to) void reads.renew('/siem/')
  }
  return {
    ...{ view, range, filter, drawn, tailed, inDrawn, path, logs, run },
    counts: counts.data,
    fields: fields.data?.items ?? [],
    /** How often this was asked. */
    times: times.value,
    problem:
      logs.error instanceof Refused && logs.error.status === 400 ? logs.error.message : undefined,
    shows: query.get('as') || 'events',
    zoom() {
      if (drawn.value) query.set({ ...drawn.value, open: null })
    },
    addCondition: (field: string, value: string, isWanted: boolean) =>
      run(withCondition(view.q, field, value, isWanted)),
  }
}

function useCounts(view: SearchView, filter: Filter) {
  // All time begins with the oldest event; without a beginning the service counts the last day.
  const isAllTime = view.last === 'all' && !view.from && !view.to
  const stored = useRead<SiemStats>(isAllTime ? '/siem/stats' : null)
  const begin = isAllTime && stored.data?.oldest_at
  return useRead<Histogram>(
    isAllTime && stored.isLoading
      ? null
      : withQuery('/siem/histogram', { ...filter, by: 'severity', ...(begin && { from: begin }) }),
  )
}
