import type { Log } from '@manara/soc-contract/siem'
import { cutAt } from './as-seen.ts'
import { inWords } from './in-words.ts'
import { LongText } from './long-text.tsx'
import { Moment } from './when.tsx'

/** Values over this are shown when they are asked for: one long field must not freeze a page. */
const LONG = 2_000
/** As much of a message as stands in a line; what is behind it may be what matters. */
const LINE = 300

const COLUMNS = ['host', 'collector', 'user', 'process', 'event_code', 'src_ip', 'dst_ip'] as const

/** Nested fields under one name each: `process.parent.name`; of a list each element too. */
export function flattened(
  fields: Record<string, unknown>,
  above = '',
): [name: string, value: string, each?: string[]][] {
  return Object.entries(fields).flatMap(([key, value]): [string, string, string[]?][] => {
    const name = above + key
    if (value === null || value === undefined || value === '') return []
    if (typeof value === 'object' && !Array.isArray(value)) {
      return flattened(value as Record<string, unknown>, `${name}.`)
    }
    // A list is found by its elements.
    return isList(value) ? [[name, inWords(value), value.map(inWords)]] : [[name, inWords(value)]]
  })
}

const isList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one !== 'object')

/** One event: what matters in a line, all of it below. */
export function EventFields({ event, isOpen = false }: { event: Log; isOpen?: boolean }) {
  const known = COLUMNS.flatMap((name): [string, string][] => {
    const value = event[name]
    return value ? [[name, value]] : []
  })
  const { message } = event
  const rows: [string, string, string[]?][] = [
    ...(message.length > LINE ? [['message', message] as [string, string]] : []),
    ...known,
    ...flattened(event.fields),
  ]
  return (
    <details class="event" open={isOpen}>
      <summary>
        <Moment at={event.timestamp} />{' '}
        <span class="mono" dir="auto">
          {cutAt(LINE, message) || (!isOpen && inALine(rows))}
        </span>
      </summary>
      <dl class="raw">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <bdi>
                <LongText text={value} most={LONG} />
              </bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** Events of programs that write no message have their fields for a line. */
const inALine = (rows: [name: string, value: string, ...rest: unknown[]][]) =>
  cutAt(200, rows.map(([name, value]) => `${name}=${value}`).join(' '))
