import type { AlertEvents } from '@manara/soc-contract/alert-events'
import type { Alert } from '@manara/soc-contract/alerts'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Dot } from '../../parts/badges.tsx'
import { EventFields } from '../../parts/event-fields.tsx'
import { quoted } from '../../parts/quoted.ts'
import { ShownOf } from '../../parts/shown-of.tsx'
import { ReadState } from '../../parts/state.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Age, localTime } from '../../parts/when.tsx'
import { withQuery } from '../../stores/api.ts'
import type { Read } from '../../stores/reads.ts'
import { useWords } from './words.ts'

/** Why it is one alert and not many. */
export function Why({ alert }: { alert: Alert }) {
  const { w, count } = useWords()
  const { occurrence_count: times, host, first_seen_at } = alert
  return (
    <section class="note">
      <h3>{w.why}</h3>
      <p>
        {times === 1
          ? w.whyOnce
          : count(w.whyMany, times, {
              host: host ?? '–',
              first: localTime(first_seen_at),
            })}
      </p>
    </section>
  )
}

/** At first, and as many as the service gives at once. */
const FEW = 10
const MOST = 200
const FEW_RELATED = 8

/** The events behind an alert and others of its host, by one question. */
export function Context({ alert }: { alert: Alert }) {
  const limit = useSignal(FEW)
  const path = `/alerts/${alert.id}/events?limit=${limit.value}&related=${FEW_RELATED}`
  const read = useRead<AlertEvents>(path)
  // Once more when it was seen again.
  const times = useRef(alert.occurrence_count)
  useEffect(() => {
    if (times.current !== alert.occurrence_count) read.again()
    times.current = alert.occurrence_count
  }, [alert.occurrence_count])
  return (
    <>
      <Events {...{ alert, read, limit }} />
      <Related {...{ alert, read }} />
    </>
  )
}

type ReadEvents = ReturnType<typeof useRead<AlertEvents>>

function Events({ alert, read, limit }: { alert: Alert; read: ReadEvents; limit: Signal<number> }) {
  const { w } = useWords()
  const around = withQuery('/search', {
    q: alert.host ? `host:${quoted(alert.host)}` : '',
    from: new Date(Date.parse(alert.first_seen_at) - 900_000).toISOString(),
    to: new Date(Date.parse(alert.last_seen_at) + 900_000).toISOString(),
  })
  return (
    <section>
      <h3>
        {w.events}{' '}
        <a class="link" href={around}>
          {w.searchEvents}
        </a>
      </h3>
      <ReadState read={read} rows={3}>
        {({ items, total }) =>
          items.length === 0 ? (
            <p class="soft">{w.noEvents}</p>
          ) : (
            <>
              <ul class="event-list">
                {items.map(({ log_id, event }, at) => (
                  <li key={log_id}>
                    {event ? (
                      <EventFields event={event} isOpen={at === 0} />
                    ) : (
                      <p class="soft">{w.eventGone}</p>
                    )}
                  </li>
                ))}
              </ul>
              <ShownOf list={{ items, total }} said={w.eventsOf} limit={limit} most={MOST} />
            </>
          )
        }
      </ReadState>
    </section>
  )
}

function Related({ alert, read }: { alert: Alert; read: ReadEvents }) {
  const { w } = useWords()
  // Also where the store of events is away.
  const path =
    alert.host && read.error && !read.data
      ? withQuery('/alerts', { host: alert.host, limit: FEW_RELATED + 1, sort: 'last_seen_at' })
      : null
  const alone = useRead<ListOf<Alert>>(path)
  if (!alert.host) return null
  const either: Read<Alert[]> = path
    ? { ...alone, data: alone.data?.items }
    : { ...read, data: read.data?.related }
  return (
    <section>
      <h3>{w.related}</h3>
      <ReadState read={{ ...either, again: path ? alone.again : read.again }} rows={3}>
        {(items) => {
          const others = items.filter(({ id }) => id !== alert.id).slice(0, FEW_RELATED)
          if (others.length === 0) return <p class="soft">{w.noRelated}</p>
          return (
            <ul class="list">
              {others.map((one) => (
                <li key={one.id}>
                  <Dot value={one.severity} />
                  <a href={withQuery('/alerts', { host: one.host, status: 'all', open: one.id })}>
                    <span dir="auto">{one.title}</span>
                  </a>
                  <Age at={one.last_seen_at} />
                </li>
              ))}
            </ul>
          )
        }}
      </ReadState>
    </section>
  )
}
