import type { Alert } from '@manara/soc-contract/alerts'
import type { Log } from '@manara/soc-contract/siem'
import type { ComponentChildren } from 'preact'
import { memo } from 'preact/compat'
import { api, attempt, canCopy, copyText, notices, route, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { cutAt } from '../../parts/as-seen.ts'
import { flattened } from '../../parts/event-fields.tsx'
import { inWords } from '../../parts/in-words.ts'
import { LongText } from '../../parts/long-text.tsx'
import { quoted } from '../../parts/quoted.ts'
import { bothTimes } from '../../parts/when.tsx'
import { withQuery } from '../../stores/api.ts'
import { PlusMinus } from './field-list.tsx'
import { lineTime } from './line-time.ts'
import { useWords } from './words.ts'

type LinesProps = {
  logs: Log[]
  columns: string[]
  words: string[]
  open: string
  onOpen(id: string): void
  onCondition(field: string, value: string, isWanted: boolean): void
}

/** One long field must not freeze the page. */
const LONGEST_CELL = 300

/** What an event without a message of its own is about, as far as its fields tell. */
const TELLING = [
  'CommandLine',
  'process.command_line',
  'TargetFilename',
  'QueryName',
  'TargetObject',
  'DestinationIp',
  'Image',
]

const textAt = (log: Log, name: string): string => {
  const own = log[name as keyof Log]
  if (typeof own === 'string' && (own !== '' || name !== 'message')) return own
  if (name === 'message') {
    return TELLING.map((field) => textAt(log, field)).find((text) => text !== '') ?? ''
  }
  const value = name
    .split('.')
    .reduce<unknown>(
      (part, key) => (part as Record<string, unknown> | undefined)?.[key],
      log.fields,
    )
  const found = value ?? log.fields[name]
  if (found === undefined || found === null) return ''
  return inWords(found)
}

/** The text with the words that were searched for marked in it. */
function marked(text: string, words: string[]): ComponentChildren {
  const short = cutAt(LONGEST_CELL, text)
  if (words.length === 0) return short
  const pattern = new RegExp(
    `(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`,
    'gi',
  )
  return short
    .split(pattern)
    .map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))
}

export function Lines({ logs, columns, words, open, onOpen, onCondition }: LinesProps) {
  const { w } = useWords()
  const today = new Date().toDateString()
  return (
    <table class="lines">
      <thead>
        <tr>
          <th scope="col">{w.time}</th>
          {columns.map((name) => (
            <th scope="col" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {logs.map((log) => (
          // By its id: without one every line would be made anew whenever one comes on top.
          <Line
            key={log.id}
            isOpen={log.id === open}
            {...{ log, columns, words, today, onOpen, onCondition }}
          />
        ))}
      </tbody>
    </table>
  )
}

type LineProps = Omit<LinesProps, 'logs' | 'open'> & { log: Log; isOpen: boolean; today: string }

/** Its times and words are made once, not with every line that comes. */
const Line = memo(
  ({ log, isOpen, columns, words, onOpen, onCondition }: LineProps) => (
    <>
      <tr data-open={isOpen} onClick={() => onOpen(log.id)}>
        <td class="line-time" title={bothTimes(log.timestamp)}>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={(event) => {
              event.stopPropagation()
              onOpen(log.id)
            }}
          >
            {lineTime(log.timestamp, new Date())}
          </button>
        </td>
        {columns.map((name) => (
          <td key={name} data-name={name}>
            {marked(textAt(log, name), words)}
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr class="line-open">
          <td colSpan={columns.length + 1}>
            <Whole log={log} onCondition={onCondition} />
          </td>
        </tr>
      )}
    </>
  ),
  // What a line does when it is pressed is the same as long as it is not open.
  (before, now) =>
    before.log === now.log &&
    before.isOpen === now.isOpen &&
    before.columns === now.columns &&
    before.words === now.words &&
    before.today === now.today,
)

const OWN = [
  'source',
  'severity',
  'host',
  'collector',
  'user',
  'process',
  'event_code',
  'src_ip',
  'dst_ip',
] as const
const AROUND_MS = 300_000
/** Of a longer list the elements are not offered one by one. */
const MOST_EACH = 50

function Whole({ log, onCondition }: { log: Log; onCondition: LinesProps['onCondition'] }) {
  const { w } = useWords()
  const rows: [name: string, value: string, each?: string[]][] = [
    ...OWN.flatMap((name): [string, string][] => {
      const value = log[name]
      return value ? [[name, value]] : []
    }),
    ...flattened(log.fields).map(([name, ...rest]): [string, string, string[]?] =>
      // Behind the name of a common field.
      [OWN.some((one) => one === name) ? `fields.${name}` : name, ...rest],
    ),
  ]
  const promote = () =>
    attempt(async () => {
      const { alert } = await api.post<{ alert: Alert }>(`/siem/logs/${log.id}/promote`, {})
      notices.done(w.promoted, {
        label: w.show,
        run: () => route.go(`/alerts?status=all&open=${alert.id}`),
      })
    })
  const at = Date.parse(log.timestamp)
  const around = withQuery('/search', {
    q: log.host ? `host:${quoted(log.host)}` : '',
    from: new Date(at - AROUND_MS).toISOString(),
    to: new Date(at + AROUND_MS).toISOString(),
    open: log.id,
  })
  return (
    <>
      <p class="line-message mono" dir="auto">
        <LongText text={log.message} most={4_000} />
      </p>
      {/* For the clock of another place, and for what wants an event by its id. */}
      <p class="mono soft">
        {log.timestamp} <span class="line-id">{log.id}</span>
      </p>
      <dl class="line-fields">
        {rows.map(([name, value, each = [value]]) => (
          <div key={name}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            {(each.length > MOST_EACH ? [value] : each).map((one, at) => (
              <dd key={at}>
                <span>
                  <bdi>
                    <LongText text={one} most={2_000} />
                  </bdi>
                </span>
                {one.length <= 500 && each.length <= MOST_EACH && (
                  <PlusMinus field={name} value={one} onCondition={onCondition} />
                )}
              </dd>
            ))}
          </div>
        ))}
      </dl>
      <div class="acts">
        {session.may('alerts:write') && (
          <Act look="main" onClick={() => promote()}>
            {w.promote}
          </Act>
        )}
        <a class="act" href={around}>
          {w.around}
        </a>
        {canCopy() && <Act onClick={() => copyText(JSON.stringify(log, null, 2))}>{w.copy}</Act>}
      </div>
    </>
  )
}
