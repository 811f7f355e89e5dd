import { Counter, Gauge, type Registry } from 'prom-client'
import type { Counters, Tally } from './counters.ts'
import type { StoredListeners } from './listeners.ts'
import type { Pipeline } from './pipeline.ts'

const TALLIES: [keyof Tally, string][] = [
  ['received', 'Log events that were understood'],
  ['stored', 'Log events on disk'],
  ['duplicates', 'Log events that were stored before under the same id'],
]

/** The counters as Prometheus reads them; the number of sources told apart is bounded. */
export function registerIngestMetrics(
  registry: Registry,
  deps: {
    counters: Counters
    pipeline: Pick<Pipeline, 'depth'>
    listeners: Pick<StoredListeners, 'missed'>
  },
) {
  const { counters, pipeline, listeners } = deps
  const registers = [registry]

  for (const [name, help] of TALLIES) {
    counter(`soc_ingest_${name}_total`, `${help}, by way in`, ['way'], (set) => {
      for (const [way, tally] of counters.ways) set({ way }, tally[name])
    })
    counter(`soc_ingest_source_${name}_total`, `${help}, by source`, ['source'], (set) => {
      for (const [source, tally] of counters.sources) set({ source }, tally[name])
    })
  }
  counter(
    'soc_ingest_refused_total',
    'Log events or whole requests that were not taken, by way in and reason',
    ['way', 'reason'],
    (set) => {
      for (const [way, reasons] of counters.refusals) {
        for (const [reason, count] of reasons) set({ way, reason }, count)
      }
    },
  )
  counter('soc_stored_missed_total', 'Stored events that a slow listener missed', [], (set) =>
    set({}, listeners.missed()),
  )
  gauge(
    'soc_ingest_queue_events',
    'Log events that wait to be stored',
    () => pipeline.depth().events,
  )
  gauge('soc_ingest_queue_bytes', 'Bytes of requests under way', () => pipeline.depth().bytes)

  function counter(
    name: string,
    help: string,
    labelNames: string[],
    read: (set: (labels: Record<string, string>, value: number) => void) => void,
  ) {
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset()
        read((labels, value) => this.inc(labels, value))
      },
    })
  }

  function gauge(name: string, help: string, read: () => number) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }
}
