import type { Meter } from '../../../core/metrics/meter.ts'
import type { Counters, Tally } from './counters.ts'
import type { StoredListeners } from './listeners.ts'
import type { Pipeline } from './pipeline.ts'
import type { EventReader } from './read/event-reader.ts'

const TALLIES: [keyof Tally, string][] = [
  ['received', 'Log events that were understood'],
  ['stored', 'Log events on disk'],
  ['duplicates', 'Log events that were stored before under the same id'],
]

/** The counters as Prometheus reads them; the number of sources told apart is bounded. */
export function registerIngestMetrics(
  meter: Meter,
  deps: {
    counters: Counters
    pipeline: Pick<Pipeline, 'depth'>
    listeners: Pick<StoredListeners, 'missed'>
    reader: Pick<EventReader, 'hangs'>
  },
) {
  const { counters, pipeline, listeners, reader } = deps
  for (const [name, help] of TALLIES) {
    meter.total(`soc_ingest_${name}_total`, `${help}, by way in`, ['way'], (tell) => {
      for (const [way, tally] of counters.ways) tell({ way }, tally[name])
    })
    meter.total(`soc_ingest_source_${name}_total`, `${help}, by source`, ['source'], (tell) => {
      for (const [source, tally] of counters.sources) tell({ source }, tally[name])
    })
  }
  meter.total(
    'soc_ingest_refused_total',
    'Log events or whole requests that were not taken, by way in and reason',
    ['way', 'reason'],
    (tell) => {
      for (const [way, reasons] of counters.refusals) {
        for (const [reason, count] of reasons) tell({ way, reason }, count)
      }
    },
  )
  meter.total(
    'soc_ingest_unread_total',
    'Log events that were kept as text because reading them is too much work, by way in',
    ['way'],
    (tell) => {
      for (const [way, { unread }] of counters.ways) tell({ way }, unread)
    },
  )
  meter.total('soc_ingest_hangs_total', 'Log events that took too long to read', [], (tell) =>
    tell({}, reader.hangs()),
  )
  meter.total('soc_stored_missed_total', 'Stored events that a slow listener missed', [], (tell) =>
    tell({}, listeners.missed()),
  )
  meter.level('soc_ingest_queue_events', 'Log events that wait to be stored', [], (tell) =>
    tell({}, pipeline.depth().events),
  )
  meter.level('soc_ingest_queue_bytes', 'Bytes of requests under way', [], (tell) =>
    tell({}, pipeline.depth().bytes),
  )
}
