import type { JsonMap } from './fields.ts'
import { objectIn } from './object-in.ts'
import { COLLECTOR } from './parsed.ts'

/** Where shippers put the line they read, when they do not take it apart themselves. */
const PLACES = [
  'message',
  'log',
  'MESSAGE',
  'msg',
  '_raw',
  'raw',
  'rawmsg',
  'event.original',
  'AuditData',
  'CloudTrailEvent',
]
const ORIGINAL = 'event.original'
const SHIPPER = 'shipper.'
/** A line in a container's log in a shipper's message. */
const MOST_LAYERS = 3

/**
 * An event whose message is itself an object, as Filebeat, Fluent Bit, Docker and Kubernetes send
 * it: one object of both. Where both use a name it is the inner one's, since that is what happened;
 * what the shipper said under it is kept as `shipper.<name>`. In our own shape the names in `fields`
 * are the shipper's: what a message has under that name is a field like any other.
 */
export function unfold(record: JsonMap, isEnvelope = false): JsonMap {
  let whole = record
  const opened: string[] = []
  let kept: Set<string> | undefined
  while (opened.length < MOST_LAYERS) {
    const inner = innerOf(whole, opened)
    if (!inner) break
    opened.push(inner.text)
    kept ??= new Set(Object.keys(whole).filter((name) => name.startsWith(SHIPPER)))
    const hasFields = isEnvelope && Object.hasOwn(inner.object, 'fields')
    whole = hasFields ? joinedFields(whole, inner, kept) : joined(whole, inner, kept)
  }
  return whole
}

/** What was sent, without what a search or a bus put around it. */
export const recordIn = (event: JsonMap) => withText(published(unwrapped(event)))

/** What a search or a bus has an event in, a name that stands beside it, and one that is in it. */
const WRAPS: [name: string, beside: string, inside?: string][] = [
  ['_source', '_index'],
  ['result', 'preview'],
  ['detail', 'detail-type', 'eventSource'],
]

/** An event as a search of Elastic, elasticdump, Splunk's export or EventBridge writes it. */
function unwrapped(event: JsonMap): JsonMap {
  for (const [name, mark, inside] of WRAPS) {
    if (!Object.hasOwn(event, mark)) continue
    const { [name]: inner, ...beside } = event
    if (!isMap(inner) || (inside && !Object.hasOwn(inner, inside))) continue
    return joinBeside(beside, inner)
  }
  return event
}

/** A message of Google's Pub/Sub, pushed or pulled, has the event in base64. */
function published(event: JsonMap): JsonMap {
  const { message } = event
  if (!isMap(message) || typeof message.data !== 'string') return event
  if (!Object.hasOwn(message, 'messageId') && !Object.hasOwn(message, 'message_id')) return event
  const inner = objectIn(Buffer.from(message.data, 'base64').toString())
  if (!inner) return event
  const { message: _, ...beside } = event
  const { data: _data, ...pubsub } = message
  return joinBeside({ ...beside, pubsub }, inner)
}

/** What is not all printable, as a line in colours, journald writes as a list of its bytes. */
function withText(event: JsonMap): JsonMap {
  const { MESSAGE: bytes } = event
  if (!Array.isArray(bytes) || !Object.hasOwn(event, '__REALTIME_TIMESTAMP')) return event
  if (!bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256)) return event
  return { ...event, MESSAGE: Buffer.from(bytes).toString() }
}

/** One object of what was said beside an event and the event, which goes first, as in `unfold`. */
export function joinBeside(beside: JsonMap | undefined, event: JsonMap): JsonMap {
  if (beside === undefined) return event
  const whole: JsonMap = { ...beside, ...event }
  for (const name in beside) {
    const isBoth = Object.hasOwn(event, name)
    if (isBoth && !isSame(event[name], beside[name])) keep(whole, SHIPPER + name, beside[name])
  }
  return whole
}

/** What a shipper said under a name that another has; the event may have written its place, too. */
export function keep(whole: JsonMap, place: string, value: unknown) {
  if (Object.hasOwn(whole, place)) putBeside(whole, place, whole[place])
  whole[place] = value
}

/** What an event wrote where a shipper's word stands: not lost, and never in its place. */
function putBeside(whole: JsonMap, name: string, value: unknown) {
  let free = `event.${name}`
  while (Object.hasOwn(whole, free)) free = `event.${free}`
  whole[free] = value
}

/** Without names that are `ours`, whole or as the first part of one: what was under them is beside. */
export function movedAside<Value>(
  event: Record<string, Value> = {},
  ours: object = {},
): Record<string, Value> {
  let whole = event
  for (const path in ours) {
    for (const name in event) {
      if (path !== name && !path.startsWith(`${name}.`)) continue
      if (!Object.hasOwn(whole, name)) continue
      if (whole === event) whole = { ...event }
      putBeside(whole, name, event[name])
      delete whole[name]
    }
  }
  return whole
}

/** As they stand in JSON, of which both came. */
export const isSame = (one: unknown, other: unknown) =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

type Inner = { object: JsonMap; place: string; text: string }

function innerOf(event: JsonMap, opened: string[]): Inner | undefined {
  for (const place of PLACES) {
    const text = event[place]
    if (typeof text !== 'string' || opened.includes(text)) continue
    const object = objectIn(withoutCri(text))
    if (object) return { object, place, text }
  }
  for (const [outer, name] of NESTED) {
    const about = event[outer]
    const text = isMap(about) ? about[name] : undefined
    if (typeof text !== 'string' || opened.includes(text) || isRead(event)) continue
    const object = objectIn(text)
    if (object) return { object, place: `${outer}.${name}`, text }
  }
  return undefined
}

/** Of Beats, and of Azure's Kubernetes. */
const NESTED = [
  ['event', 'original'],
  ['properties', 'log'],
] as const

/** Names of ECS beside the original say that somebody has taken it apart already. */
const isRead = (event: JsonMap) => typeof event.message === 'string' && event.message !== ''

/** `kept` are the names under which the shipper's words stand, by layers before, too. */
function joined(outer: JsonMap, { object, place, text }: Inner, kept: Set<string>): JsonMap {
  const whole: JsonMap = { ...outer }
  const both: string[] = []
  for (const name in object) {
    if (name === '__proto__') continue
    if (kept.has(name) || isCollector(name, object[name])) {
      putBeside(whole, name, object[name])
      continue
    }
    if (Object.hasOwn(outer, name) && name !== place) both.push(name)
    whole[name] = object[name]
  }
  // Once all names of the inner one are there: in whichever order it wrote them.
  for (const name of both) {
    if (kept.has(SHIPPER + name)) putBeside(whole, SHIPPER + name, outer[name])
    else keep(whole, SHIPPER + name, outer[name])
    kept.add(SHIPPER + name)
  }
  // The text itself stays, unless the column of messages holds it.
  if (Object.hasOwn(object, place)) whole[ORIGINAL] ??= text
  return whole
}

/** Who forwarded an event is not for whoever wrote the line to say: it would not be isolated. */
const isCollector = (name: string, value: unknown) => name === COLLECTOR && !isMap(value)

/** What is written in a text that a protocol carries. */
export function withoutCollector(object: JsonMap): JsonMap {
  const { [COLLECTOR]: written, ...rest } = object
  if (!isCollector(COLLECTOR, written) || !Object.hasOwn(object, COLLECTOR)) return object
  putBeside(rest, COLLECTOR, written)
  return rest
}

/** The shipper's `fields` stay, and those of the inner one are below that name. */
function joinedFields(outer: JsonMap, inner: Inner, kept: Set<string>): JsonMap {
  const { fields, ...beside } = outer
  const { fields: own, ...object } = inner.object
  const sent = isMap(fields) ? fields : undefined
  object.fields = joinBeside(sent, { fields: own })
  return joined(sent ? beside : outer, { ...inner, object }, kept)
}

/** `2026-01-02T03:04:05.6Z stdout F …` is what container runtimes write before a line. */
function withoutCri(text: string): string {
  if (text[0] === '{' || !text.startsWith('2')) return text
  const [before] = /^\d{4}-\d\d-\d\dT\S{8,22} std(?:out|err) [FP] /.exec(text.slice(0, 64)) ?? ['']
  return text.slice(before.length)
}

const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
