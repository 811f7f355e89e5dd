import { addressOf } from './addresses.ts'
import { isZeek } from './catalogue/network/zeek.ts'
import { beginFields, type Flattened, flatten, type JsonMap, putField, storable } from './fields.ts'
import type { Parsed } from './parsed.ts'
import { severityOf } from './severity.ts'
import { momentOf } from './timestamps.ts'
import { joinBeside } from './unfold.ts'

/** What an event, or its protocol, says under the names of the columns. */
export type Common = Omit<Parsed, 'machine' | 'fields'> & { id?: string | undefined }

/** What of an event its columns hold, and what the protocol said before it. */
export type Taken = { common: Common; known: Common; isEnvelope: boolean }

export const LONGEST_ID = 512

type Sent = {
  known: Common
  receivedAt: number
  isEnvelope: boolean
  /** Of what was sent as the event: elsewhere, and in what is inside it, an `id` is anything. */
  id: unknown
}

/** Columns under their own names. */
export function takeCommon(object: JsonMap, { known, receivedAt, isEnvelope, id }: Sent): Taken {
  const { source, host, message, process } = object
  // In Zeek's logs a host is whom a request was for, and a source a protocol.
  const isOther = (source !== undefined || host !== undefined) && isZeek(object)
  const common: Common = {
    id: eventIdOf(id),
    at: momentOf(object.timestamp, receivedAt),
    source: isOther ? undefined : shortText(source, 200),
    host: isOther ? undefined : shortText(host, 255),
    severity: severityOf(object.severity),
    message: messageOf(message),
    user: shortText(object.user, 255),
    process: programOf(shortText(process, 1_000)),
    event_code: shortText(object.event_code, 255),
    src_ip: addressOf(object.src_ip),
    dst_ip: addressOf(object.dst_ip),
  }
  return { common, known, isEnvelope }
}

function messageOf(value: unknown): string | undefined {
  if (typeof value === 'string') return storable(value)
  return typeof value === 'number' ? String(value) : undefined
}

const COLUMNS: ReadonlyMap<string, keyof Common> = new Map([
  ['id', 'id'],
  ['timestamp', 'at'],
  ['source', 'source'],
  ['host', 'host'],
  ['severity', 'severity'],
  ['message', 'message'],
  ['user', 'user'],
  ['process', 'process'],
  ['event_code', 'event_code'],
  ['src_ip', 'src_ip'],
  ['dst_ip', 'dst_ip'],
])

/**
 * Whether the column holds it unchanged. The name stays among the fields where the column says less,
 * as `severity: "ERR"` or a time in nanoseconds, or something else, because the protocol knew better.
 */
function isTaken(name: string, value: unknown, { common, known }: Taken): boolean {
  const column = COLUMNS.get(name)
  if (column === undefined) return false
  if (value === null) return column !== 'id'
  const held = common[column]
  if (held === undefined || held !== (known[column] ?? held)) return false
  return column === 'at' ? isWhole(value, held as number) : held === String(value)
}

/** As Elasticsearch takes it: a number is its text. */
export function eventIdOf(id: unknown): string | undefined {
  const text = typeof id === 'number' ? String(id) : id
  return isEventId(text) ? text : undefined
}

export const isEventId = (id: unknown): id is string =>
  typeof id === 'string' && id !== '' && id.length <= LONGEST_ID && storable(id) === id

export function shortText(value: unknown, longest: number): string | undefined {
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

/** The fields that no column holds, those under `fields` among them, as `restOf` has them. */
export function flattenRest(object: JsonMap, taken: Taken, areDotsPaths?: boolean): Flattened {
  const inner = innerOf(object, taken)
  if (inner && isAmbiguous(object, inner, taken))
    return flatten(restOf(object, taken), areDotsPaths)
  const flat = beginFields(areDotsPaths)
  for (const name in object) {
    const value = object[name]
    if (isTaken(name, value, taken) || (inner && name === 'fields')) continue
    if (!putField(flat, name, value)) return flatten(restOf(object, taken), areDotsPaths)
  }
  for (const name in inner) {
    // A name that is a number goes before all others, also those that came before it.
    const isFirst = name.charCodeAt(0) <= NINE
    if (isFirst || !putField(flat, name, inner[name])) {
      return flatten(restOf(object, taken), areDotsPaths)
    }
  }
  return flat
}

const NINE = 0x39

/** What no column holds, as the sender shaped it. */
export function restOf(object: JsonMap, taken: Taken): JsonMap {
  const inner = innerOf(object, taken)
  const rest: JsonMap = {}
  for (const name in object) {
    const value = object[name]
    if (isTaken(name, value, taken) || (inner && name === 'fields')) continue
    if (name === '__proto__') define(rest, name, value)
    else rest[name] = value
  }
  if (!inner) return rest
  return isAmbiguous(object, inner, taken) ? joinBeside(inner, rest) : { ...rest, ...inner }
}

/** Assigned, this one name would change the object instead of adding to it. */
function define(object: JsonMap, name: string, value: unknown) {
  const property = { value, enumerable: true, configurable: true, writable: true }
  Object.defineProperty(object, name, property)
}

/** `{fields: {…}, more}`: one set of names. */
function innerOf({ fields }: JsonMap, { isEnvelope }: Taken): JsonMap | undefined {
  if (!isEnvelope || typeof fields !== 'object' || fields === null) return undefined
  return Array.isArray(fields) ? undefined : (fields as JsonMap)
}

/** Whether one name stands for two things: then it is the event's, as in `unfold`. */
function isAmbiguous(object: JsonMap, inner: JsonMap, taken: Taken): boolean {
  for (const name in object) {
    if (name === 'fields' || !Object.hasOwn(inner, name)) continue
    if (!isTaken(name, object[name], taken)) return true
  }
  return false
}
