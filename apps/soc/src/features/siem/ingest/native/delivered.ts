import { endOfString, endOfValue, type Span, skipBlank } from './split-json.ts'

type Holder = { way: string[]; starts?: RegExp; or?: string[] }

/** What services deliver and answer many events in, by its first name, how its value starts, and the way to the list, or another. */
const HOLDERS: ReadonlyMap<string, Holder> = new Map([
  // CloudTrail and other files of AWS; Azure's event hubs and storage.
  ['Records', { way: ['Records'] }],
  ['records', { way: ['records'] }],
  // A subscription to CloudWatch Logs.
  ['messageType', { way: ['logEvents'], starts: /^"DATA_MESSAGE"/ }],
  // CloudTrail's own search; Okta's hooks; audit events of Kubernetes and reports of Google.
  ['Events', { way: ['Events'] }],
  ['eventType', { way: ['data', 'events'], starts: /^"com\.okta\.event_hook"/ }],
  ['kind', { way: ['items'], starts: /^"(?:EventList|admin#reports#activities)"/ }],
  // What was pulled from Google's Pub/Sub.
  ['receivedMessages', { way: ['receivedMessages'] }],
  // Searches of Elastic and Splunk; Microsoft Graph; hunting queries of Defender, also by Graph.
  ['took', { way: ['hits', 'hits'], starts: /^\d/ }],
  ['preview', { way: ['results'], starts: /^(?:true|false)\b/ }],
  ['@odata.context', { way: ['value'], starts: /^"/, or: ['results'] }],
  ['schema', { way: ['results'], starts: /^\[/ }],
  ['Schema', { way: ['Results'], starts: /^\[/ }],
  ['Stats', { way: ['Results'], starts: /^\{/ }],
])
const LONGEST_NAME = 20
const LONGEST_START = 32
/** Each of the events gets what stands before them: names of a group, a stream and a filter. */
const LONGEST_BESIDE = 4_096
/** Names that an event of one's own may have, too. */
const ALONE = new Set(['Records', 'records', 'Events', 'schema', 'Schema', 'Stats'])
/** Of every event that much is looked at, of few any more. */
const beginning = (first = 0, second = 0) => first * 256 + second
const BEGINNINGS = new Set(
  [...HOLDERS.keys()].map((name) => beginning(name.charCodeAt(0), name.charCodeAt(1))),
)

/** An event among others that were delivered together, and what was said of all before them. */
export type Delivered = Span | [...Span, beside: string]

/** Where the events are in what holds many of them; undefined where it is one event. */
export function deliveredIn(body: Buffer, [start, end]: Span): Delivered[] | undefined {
  const first = firstName(body, start)
  const holder = HOLDERS.get(first)
  if (!holder) return undefined
  const own = body.subarray(0, end)
  try {
    if (!startsAs(holder, own, valueAt(own, start, first) ?? end)) return undefined
    const { way, or = way } = holder
    const at = along(own, start, way) ?? along(own, start, or)
    const found = at === undefined ? undefined : objectsIn(own, at, ALONE.has(first))
    if (first !== 'messageType') return found
    const beside = `${own.toString('utf8', start, at)}null}`
    if (beside.length > LONGEST_BESIDE) return undefined
    return found?.map((span): Delivered => [...span, beside])
  } catch {
    return undefined
  }
}

function along(body: Buffer, start: number, way: string[]): number | undefined {
  let at: number | undefined = start
  for (const name of way) at = at === undefined ? undefined : valueAt(body, at, name)
  return at
}

function firstName(body: Buffer, start: number): string {
  if (body[start] !== 0x7b) return ''
  const from = skipBlank(body, start + 1)
  if (body[from] !== 0x22 || !BEGINNINGS.has(beginning(body[from + 1], body[from + 2]))) return ''
  const end = body.subarray(from + 1, from + 1 + LONGEST_NAME).indexOf(0x22)
  return end < 0 ? '' : body.toString('latin1', from + 1, from + 1 + end)
}

const startsAs = ({ starts }: Holder, body: Buffer, value: number) =>
  starts?.test(body.toString('latin1', value, value + LONGEST_START)) ?? true

/** Where the value of a name begins in the object at `start`. */
function valueAt(body: Buffer, start: number, name: string): number | undefined {
  if (body[start] !== 0x7b) return undefined
  let at = skipBlank(body, start + 1)
  while (body[at] === 0x22) {
    const end = endOfString(body, at)
    const value = skipBlank(body, skipBlank(body, end) + 1)
    if (body.toString('utf8', at + 1, end - 1) === name) return value
    at = skipBlank(body, endOfValue(body, value))
    if (body[at] !== 0x2c) return undefined
    at = skipBlank(body, at + 1)
  }
  return undefined
}

/** Of a list of nothing but objects; `isAll` where nothing may stand beside it. */
function objectsIn(body: Buffer, list: number, isAll: boolean): Span[] | undefined {
  if (body[list] !== 0x5b) return undefined
  const found: Span[] = []
  let at = list
  do {
    const start = skipBlank(body, at + 1)
    if (body[start] !== 0x7b) return undefined
    const end = endOfValue(body, start)
    found.push([start, end])
    at = skipBlank(body, end)
  } while (body[at] === 0x2c)
  if (body[at] !== 0x5d) return undefined
  return isAll && body[skipBlank(body, at + 1)] !== 0x7d ? undefined : found
}
