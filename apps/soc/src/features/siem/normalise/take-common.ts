import type { Severity } from '@manara/soc-contract/severity'
import { addressOf } from './addresses.ts'
import { isZeek } from './catalogue/network/zeek.ts'
import { type JsonMap, storable } from './fields.ts'
import { severityOf } from './severity.ts'
import { momentOf } from './timestamps.ts'

export type Common = {
  id?: string
  at?: number
  source?: string
  host?: string
  severity?: Severity
  message?: string
  user?: string
  process?: string
  event_code?: string
  src_ip?: string
  dst_ip?: string
}

export const LONGEST_ID = 512
const LONGEST = { source: 200, host: 255, user: 255, event_code: 255 } as const
const TEXTS = Object.keys(LONGEST) as (keyof typeof LONGEST)[]

/**
 * Columns under their own names. What the column holds unchanged is taken out of `rest`; the name
 * stays among the fields where the column says less, as `severity: "ERR"` or a time in nanoseconds,
 * or something else, because the protocol knew better.
 */
export function takeCommon(
  object: JsonMap,
  { known, receivedAt, isEnvelope }: { known: Common; receivedAt: number; isEnvelope: boolean },
) {
  const common: Common = {}
  const isHeld = new Set<string>()
  const hold = (name: keyof Common, value: unknown, column: string | undefined) => {
    if (column === undefined) return
    common[name as 'host'] = column
    if (column === String(value) && column === (known[name] ?? column)) isHeld.add(name)
  }

  for (const name of TEXTS) {
    // In Zeek's logs a host is whom a request was for, and a source a protocol.
    const isOther = (name === 'host' || name === 'source') && isZeek(object)
    if (!isOther) hold(name, object[name], shortText(object[name], LONGEST[name]))
  }
  const { id, message, severity, process, src_ip, dst_ip, timestamp } = object
  // Elsewhere an `id` is anything: only senders of our own shape mean the event's.
  if (isEnvelope && isEventId(id)) hold('id', id, id)
  if (typeof message === 'string') hold('message', message, storable(message))
  hold('process', process, programOf(shortText(process, 1_000)))
  hold('severity', severity, severityOf(severity))
  hold('src_ip', src_ip, addressOf(src_ip))
  hold('dst_ip', dst_ip, addressOf(dst_ip))
  const at = momentOf(timestamp, receivedAt)
  if (at !== undefined) {
    common.at = at
    if (isWhole(timestamp, at) && at === (known.at ?? at)) isHeld.add('timestamp')
  }
  return { common, rest: restOf(object, isHeld, isEnvelope) }
}

export const isEventId = (id: unknown): id is string =>
  typeof id === 'string' && id !== '' && id.length <= LONGEST_ID && storable(id) === id

function shortText(value: unknown, longest: number): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value === '') return undefined
  return storable(value.length > longest ? value.slice(0, longest) : value)
}

const OURS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d\.\d{3}Z$/

/** Whether the moment, as we write it, is what was written: known without writing it. */
const isWhole = (timestamp: unknown, at: number) =>
  timestamp === at || (typeof timestamp === 'string' && OURS.test(timestamp))

/** The program without its folder: the whole path stays in the field it came in. */
export function programOf(process: string | undefined): string | undefined {
  if (process === undefined) return undefined
  const name = process.slice(Math.max(process.lastIndexOf('/'), process.lastIndexOf('\\')) + 1)
  return name || process
}

function restOf(object: JsonMap, isHeld: Set<string>, isEnvelope: boolean): JsonMap {
  const rest: JsonMap = {}
  for (const name in object) {
    const value = object[name]
    if (isHeld.has(name) || (value === null && COLUMNS.has(name))) continue
    if (name === '__proto__') define(rest, name, value)
    else rest[name] = value
  }
  return isEnvelope ? unwrap(rest) : rest
}

/** Assigned, this one name would change the object instead of adding to it. */
function define(object: JsonMap, name: string, value: unknown) {
  const property = { value, enumerable: true, configurable: true, writable: true }
  Object.defineProperty(object, name, property)
}

const COLUMNS = new Set([
  ...TEXTS,
  'message',
  'severity',
  'process',
  'src_ip',
  'dst_ip',
  'timestamp',
])

/** `{fields: {…}, more}`: one set of names, unless one name would stand for two things. */
function unwrap(rest: JsonMap): JsonMap {
  const { fields, ...others } = rest
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return rest
  for (const name in others) if (Object.hasOwn(fields, name)) return rest
  return { ...others, ...fields }
}
