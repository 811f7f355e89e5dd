import type { ListOf } from '@manara/soc-contract/lists'
import type { LogSource } from '@manara/soc-contract/siem'
import type { SiemStats } from '@manara/soc-contract/siem-ingest'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, attempt, canCopy, copyText, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { ReadState } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Age, shortAge } from '../../parts/when.tsx'
import { withQuery } from '../../stores/api.ts'
import { KeyToCopy, madeKey, useMakeKey } from './made-key.tsx'
import { useWords } from './words.ts'

const EVERY_MS = 5_000
/** No event tells of events that were stored. */
const LOOK_MS = 30_000
const HARDLY = 0.5

/** What arrives, and blocks to copy that turn green with the first event. */
export function Sources() {
  const { w, number, count } = useWords()
  const { columns } = w
  const stats = useRead<SiemStats>('/siem/stats', { everyMs: LOOK_MS })
  const sources = useRead<ListOf<LogSource>>('/siem/sources?limit=100', {
    ...{ on: ['source'], everyMs: LOOK_MS },
  })
  const total = stats.data?.events ?? 0
  return (
    <div class="sources">
      <section>
        <h2>{w.connect}</h2>
        <p class="soft">{w.connectText}</p>
        <Key />
        {blocks().map(({ name, text }) => (
          <Block key={name} name={name} text={text} />
        ))}
      </section>
      <section>
        <h2>
          {w.stored} <small>{count(w.events, total)}</small>
        </h2>
        <ReadState read={sources} rows={5}>
          {({ items }) => (
            <Table<LogSource>
              label={w.stored}
              items={items}
              keyOf={({ source }) => source}
              columns={[
                {
                  name: columns.source,
                  cell: ({ source, is_new }) => (
                    <>
                      {source} {is_new && <span class="chip">{w.health.isNew}</span>}
                    </>
                  ),
                },
                { name: columns.events, isNumber: true, cell: (one) => number(one.events) },
                {
                  name: columns.rate,
                  isNumber: true,
                  cell: (one) => number(one.events_per_minute),
                },
                {
                  name: w.health.lag,
                  isNumber: true,
                  cell: ({ lag_s }) => (lag_s === null ? '–' : shortAge(lag_s)),
                },
                {
                  name: w.health.read,
                  isNumber: true,
                  cell: (one) => <ReadShare source={one} />,
                },
                {
                  name: columns.last,
                  isNumber: true,
                  cell: (one) => <Age at={one.last_event_at} />,
                },
                { name: columns.state, cell: (one) => <Health source={one} /> },
              ]}
            />
          )}
        </ReadState>
      </section>
    </div>
  )
}

/** Where hardly anything is read, a parser of one's own helps. */
function ReadShare({ source: { source, parse_share } }: { source: LogSource }) {
  const { w, percent } = useWords()
  if (parse_share === null) return <>–</>
  return (
    <>
      {parse_share < HARDLY && session.may('siem:manage') && (
        <a class="link" href={withQuery('/admin/parsers/new', { source })}>
          {w.writeParser}
        </a>
      )}{' '}
      {percent(Math.round(parse_share * 100))}
    </>
  )
}

/** Silence is told with the alert it raised, or with when it would raise one. */
function Health({ source }: { source: LogSource }) {
  const { w } = useWords()
  const { state, silent_since, expected_by, alert_id } = source
  if (state !== 'silent') {
    return (
      <span class={state === 'active' ? 'good' : 'soft'} title={expected_by ?? undefined}>
        {w.health.states[state]}
      </span>
    )
  }
  return (
    <span class="bad">
      {w.health.states.silent} {silent_since && <Age at={silent_since} />}{' '}
      {alert_id && (
        <a class="link" href={`/alerts?status=all&open=${alert_id}`}>
          {w.health.alert}
        </a>
      )}
    </span>
  )
}

function blocks(): { name: string; text: string }[] {
  const { origin } = location
  return [
    {
      name: 'curl',
      text: `curl -X POST ${origin}/api/v1/siem/logs \\\n  -H 'X-API-Key: KEY' -H 'content-type: application/json' \\\n  -d '{"events":[{"source":"my-app","message":"hello"}]}'`,
    },
    {
      name: 'Filebeat, Logstash, Vector (Elasticsearch output)',
      text: `output.elasticsearch:\n  hosts: ["${origin}"]\n  api_key: "KEY"\n  setup.ilm.enabled: false`,
    },
    {
      name: 'Splunk HEC senders',
      text: `url: ${origin}/services/collector/event\ntoken: KEY`,
    },
    {
      name: 'OpenTelemetry Collector',
      text: `exporters:\n  otlphttp:\n    logs_endpoint: ${origin}/v1/logs\n    headers: { X-API-Key: KEY }`,
    },
    {
      name: 'rsyslog',
      text: `# the service listens with SOC_SYSLOG_TCP=0.0.0.0:5514\n*.* action(type="omfwd" target="${location.hostname}" port="5514" protocol="tcp")`,
    },
  ]
}

/** The line under a block counts what has come since it was copied. */
function Block({ name, text }: { name: string; text: string }) {
  const { w, fill } = useWords()
  const from = useSignal<number | null>(null)
  const arrived = useSignal(0)
  const watch = () =>
    attempt(async () => {
      // Safari lends the clipboard to the click itself, not to what follows an answer.
      if (canCopy()) await copyText(text)
      const { events } = await api.get<SiemStats>('/siem/stats')
      ;[from.value, arrived.value] = [events, 0]
    })
  const isWaiting = from.value !== null && arrived.value <= 0
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(async () => {
      const stats = await api.get<SiemStats>('/siem/stats').catch(() => null)
      if (stats) arrived.value = stats.events - (from.value ?? 0)
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [isWaiting])
  return (
    <div class="source-block">
      <h3>{name}</h3>
      <pre>{text}</pre>
      <div class="acts">
        <Act onClick={() => watch()}>{canCopy() ? w.copy : w.watch}</Act>
        {from.value !== null && (
          <span role="status" class={arrived.value > 0 ? 'good' : 'soft'}>
            {arrived.value > 0 ? fill(w.arrived, { n: arrived.value }) : w.waiting}
          </span>
        )}
      </div>
    </div>
  )
}

/** A key of a service user, for one sender; one at a time, until they have it. */
function Key() {
  const { w } = useWords()
  const name = useSignal('')
  const keyFor = useMakeKey()
  if (session.me.value?.role !== 'admin') return <p class="note">{w.keyText}</p>
  const make = () => keyFor({ name: name.value, scopes: ['siem:ingest' as const], expiresAt: null })
  return (
    <div class="note stack">
      <p>{w.keyText}</p>
      {madeKey().key.value ? (
        <>
          <p>{w.keyShown}</p>
          <KeyToCopy />
        </>
      ) : (
        <>
          <TextField label={w.keyName} of={name} />
          <div class="acts">
            <Act disabled={name.value.trim() === ''} onClick={() => make()}>
              {w.newKey}
            </Act>
          </div>
        </>
      )}
    </div>
  )
}
