import type { LogRecord } from '@manara/log-query/event'
import { addressAmong, momentAmong, severityAmong, sourceAmong } from './among-fields.ts'
import type { LogFormat } from './catalogue/log-format.ts'
import { NAMES } from './common-names.ts'
import { type Fields, type JsonMap, storable } from './fields.ts'
import { hostsAmong } from './host-and-collector.ts'
import { namedColumns } from './named-columns.ts'
import { objectIn } from './object-in.ts'
import {
  COLLECTOR,
  cut,
  type Memory,
  PARSER,
  type Parsed,
  pick,
  textOf,
  WRITTEN_COLLECTOR,
} from './parsed.ts'
import { FILLABLE, FILLED_MARKS, type Fillable, SENT } from './parser-marks.ts'
import { RECOGNISER, type Recogniser } from './recognise.ts'
import { parseSyslog } from './syslog-header.ts'
import { type Common, flattenRest, programOf, restOf, takeCommon } from './take-common.ts'
import { claimedMoment, momentOf } from './timestamps.ts'
import { joinBeside, movedAside, recordIn, unfold, withoutCollector } from './unfold.ts'

/** An event on its way in: an object or a line of text, and what the protocol said beside it. */
export type Incoming = {
  object?: JsonMap | undefined
  text?: string | undefined
  /** Said by the protocol itself: goes before what the event says. */
  known?: Common | undefined
  /** The event's time as the protocol has it, in any shape. */
  time?: unknown
  /** Said by the protocol under names of its own: what the event says goes before it. */
  extra?: Fields | undefined
  /** What we know ourselves, as who sent it: whoever writes the event cannot say otherwise. */
  facts?: Fields | undefined
  /** What is `known` is of whom it is about: no name of a machine in the event goes before that. */
  isVouched?: boolean | undefined
  /** Where the sender put it, as an index: the source of events that name none. */
  index?: string | undefined
  /** Our own shape on the wire: an `id`, and the event's names in `fields`. */
  isEnvelope?: boolean | undefined
  /** Names below `fields` are also asked for without it, as Beats' own are: `fields.env`. */
  opensFields?: boolean | undefined
  areDotsPaths?: boolean | undefined
  /** The address it came from: its host where nothing better is said. */
  peer?: string | undefined
}

export type Arrival = {
  receivedAt: number
  way: string
  newId(): string
  /** Shared by the events of one request or stream, in their order. */
  memory?: Memory | undefined
  /** Of other formats than the catalogue's. */
  recogniser?: Recogniser | undefined
}

/** What the log store's port calls a stored log. */
export type NormalisedLog = LogRecord & { received_at: number; original: string | null }

/** Nothing is refused here and nothing is lost: what is not understood stays text. */
export const normalise = (given: Incoming, arrival: Arrival): NormalisedLog =>
  readCame(takeApart(given, arrival), arrival)

/** Before any format has looked at it. */
export function takeApart(given: Incoming, { receivedAt }: Arrival): Came {
  const incoming = withoutHeader(given, receivedAt)
  const { extra, facts, text, time, isEnvelope = false, opensFields = isEnvelope } = incoming
  const known = knownOf(incoming, receivedAt)
  const inText = text === undefined ? undefined : objectIn(text)
  const written = inText && withoutCollector(inText)
  const whole = written ? joinBeside(incoming.object, written) : (incoming.object ?? {})
  // Whoever speaks of itself alone passes nothing on.
  const record = recordIn(incoming.isVouched ? withoutCollector(whole) : whole)
  let came = unfold(record, opensFields)
  const around = inText ? (incoming.object ?? {}) : record
  const sender = inText || came !== record ? around : undefined
  // What is inside the event may have an id, too: that one is a field.
  const id = isEnvelope ? incoming.object?.id : undefined
  const taken = takeCommon(came, { known, receivedAt, isEnvelope: opensFields, id })
  const { common } = taken
  let flat = flattenRest(came, taken, incoming.areDotsPaths)
  if (saysOtherwise(flat.fields, facts)) {
    came = movedAside(came, facts)
    flat = flattenRest(came, taken, incoming.areDotsPaths)
  }
  const { fields, isExact } = flat
  const rest = () => restOf(came, taken)
  const isOurs = Object.hasOwn(fields, PARSER)
  if (isOurs) setAside(fields, PARSER)
  const original =
    isExact && !isOurs ? null : JSON.stringify(isOurs ? withoutParser(rest()) : rest())
  if (facts) Object.assign(fields, facts)
  addMissing(fields, saysOtherwise(extra, facts) ? movedAside(extra, facts) : extra)
  // A time that says nothing is not lost with that.
  if (time !== undefined && known.at === undefined) {
    addMissing(fields, { time: textOf(time) ?? null })
  }

  const line = known.message ?? common.message ?? (inText ? undefined : text)
  const times = [time, came.timestamp]
  return { incoming, sender, known, common, fields, rest, original, line, text, times }
}

/** What came with an event. */
export type Came = {
  incoming: Pick<Incoming, 'known' | 'peer' | 'index' | 'isVouched' | 'facts'>
  /** Where a message was opened: what was sent around it. */
  sender?: JsonMap | undefined
  known: Common
  common: Common
  fields: Fields
  /** As the sender shaped them; few formats ask for that. */
  rest(): JsonMap
  original: string | null
  line: string | undefined
  text: string | undefined
  /** Where an impossible time may have been said. */
  times: unknown[]
}

/** The event with what a format of the catalogue finds in it; `fields` is added to. */
export function readCame(
  { incoming, sender, known, common, fields, rest, original, line, text, times }: Came,
  arrival: Arrival,
): NormalisedLog {
  const { receivedAt, recogniser = RECOGNISER } = arrival
  const named = namedColumns(fields)
  const ofObject = recogniser.readObject(fields, receivedAt, rest, line)
  const object = ofObject?.parsed
  const message = storable(
    line ?? firstLine(object?.message) ?? pick(fields, named.message) ?? text ?? '',
  )
  const process = known.process ?? common.process ?? object?.process ?? pick(fields, named.process)
  // Senders of single lines often say `sshd` as the source instead of the program.
  const writer = process ?? known.source ?? common.source
  const ofText = object
    ? undefined
    : recogniser.readText(withoutBreak(message), {
        receivedAt,
        process: writer,
        follows: process === undefined ? undefined : 'program',
        memory: arrival.memory,
      })
  const read = ofText?.parsed
  const format = (ofObject ?? ofText)?.format
  const parsed = object ?? read
  const best = overruling(format, parsed, common)

  const user =
    best?.user ??
    known.user ??
    common.user ??
    object?.user ??
    pick(fields, named.user) ??
    read?.user
  const code = best?.event_code ?? known.event_code ?? common.event_code ?? object?.event_code
  const hosts = hostsAmong(incoming, sender, common, fields, named, parsed)
  const log: NormalisedLog = {
    id: known.id ?? common.id ?? arrival.newId(),
    at: best?.at ?? known.at ?? common.at ?? momentAmong(fields, named, object, read, receivedAt),
    source: sourceAmong(incoming, common, fields, named, parsed) ?? arrival.way,
    host: hosts.host,
    severity:
      best?.severity ??
      known.severity ??
      common.severity ??
      object?.severity ??
      severityAmong(fields, named) ??
      read?.severity ??
      'info',
    message,
    user: cut(user, 255) ?? null,
    process: cut(programOf(best?.process ?? process ?? read?.process), 255) ?? null,
    event_code: cut(code ?? pick(fields, named.event_code) ?? read?.event_code, 255) ?? null,
    src_ip: common.src_ip ?? addressAmong('src_ip', fields, named, parsed) ?? null,
    dst_ip: common.dst_ip ?? addressAmong('dst_ip', fields, named, parsed) ?? null,
    fields,
    received_at: receivedAt,
    original,
  }
  if (hosts.written !== undefined) addMissing(fields, { [WRITTEN_COLLECTOR]: hosts.written })
  // Before what the format adds, so that this can be told from what came.
  if (format) fields[PARSER] = format.id
  if (parsed?.fields[COLLECTOR] === undefined || (object && !sender))
    addMissing(fields, parsed?.fields)
  else addMissing(fields, withoutCollector(parsed.fields) as Fields)
  if (hosts.collector !== undefined) addMissing(fields, { [COLLECTOR]: hosts.collector })
  if (format && parsed) markFilled(log, { incoming, known, common, parsed, best })
  if (log.at === receivedAt) markTime(log, times)
  return log
}

type Sayings = Pick<Came, 'incoming' | 'known' | 'common'> & {
  parsed: Parsed
  best: Best | undefined
}

/** Notes which columns are the parser's, and what the sender had said in them. */
function markFilled(
  log: NormalisedLog,
  { incoming: { isVouched }, known, common, parsed, best }: Sayings,
) {
  let filled = 0
  for (let at = 0; at < FILLABLE.length; at += 1) {
    const name = FILLABLE[at] as Fillable
    const isMachine = name === 'host' && parsed.machine !== undefined && !isVouched
    if (!isMachine) {
      if (parsed[name] === undefined) continue
      if (name === 'source' && log.source !== parsed.source) continue
      const said = known[name] ?? common[name]
      if (said !== undefined) {
        if (best?.[name] === undefined || said === log[name]) continue
        addMissing(log.fields, { [SENT + name]: saidAs(said) })
      }
    }
    filled |= 1 << at
  }
  if (filled !== 0) log.fields[FILLED_MARKS[filled] as string] = null
}

/** A time as people write it. */
const saidAs = (value: string | number) =>
  typeof value === 'number' ? new Date(value).toISOString() : value

/** A name that is ours, from a sender: events that were exported and are sent again have it. */
function setAside(fields: Fields, name: string) {
  addMissing(fields, { [`shipper.${name}`]: fields[name] ?? null })
  delete fields[name]
}

function withoutParser({ [PARSER]: parser, ...rest }: JsonMap): JsonMap {
  return { [`shipper.${PARSER}`]: parser, ...rest }
}

/** What a time that cannot be true was, and the field that says so. */
export const TIME_SAID = '_time_said'
export const TIME_MARK = '_time'

/** An event whose clock is far off has the time of arrival: nobody would find it at its own. */
function markTime({ fields, received_at: receivedAt }: NormalisedLog, times: unknown[]) {
  for (const value of [...times, ...NAMES.claimedAt.map((name) => fields[name])]) {
    const said = value === undefined ? undefined : claimedMoment(value, receivedAt)
    if (said === undefined) continue
    addMissing(fields, {
      [TIME_MARK]: said > receivedAt ? 'future' : 'past',
      [TIME_SAID]: new Date(said).toISOString(),
    })
    return
  }
}

type Best = Omit<Parsed, 'machine' | 'message' | 'fields'>

/**
 * What a format says better than what is around it: a device's own time and severity go before the
 * header of the relay, but a line does not go before the names that its sender put beside it.
 */
function overruling(
  format: LogFormat | undefined,
  parsed: Parsed | undefined,
  common: Common,
): Best | undefined {
  if (!format?.overrules || !parsed) return undefined
  if (format.kind === 'object') return parsed
  return {
    source: unless(common.source, parsed.source),
    at: unless(common.at, parsed.at),
    host: unless(common.host, parsed.host),
    severity: unless(common.severity, parsed.severity),
    user: unless(common.user, parsed.user),
    process: unless(common.process, parsed.process),
    event_code: unless(common.event_code, parsed.event_code),
    src_ip: unless(common.src_ip, parsed.src_ip),
    dst_ip: unless(common.dst_ip, parsed.dst_ip),
  }
}

const unless = <Value>(said: Value | undefined, better: Value | undefined) =>
  said === undefined ? better : undefined

/** A line of a file that has a header before its object: `Jan  5 01:02:03 web1 app: {…}`. */
function withoutHeader(incoming: Incoming, receivedAt: number): Incoming {
  const { text } = incoming
  if (text === undefined || text[0] === '{' || !text.endsWith('}')) return incoming
  const header = parseSyslog(text, { receivedAt })
  if (!header?.message || !objectIn(header.message)) return incoming
  const { at, host, process, severity, message } = header
  const said = { ...(host ? { host } : {}), ...(process ? { process } : {}) }
  const known = { ...said, ...(at ? { at } : {}), ...(severity ? { severity } : {}) }
  return {
    ...incoming,
    text: message,
    known: { ...known, ...incoming.known },
    extra: { ...header.fields, ...incoming.extra },
  }
}

function knownOf({ known = {}, time }: Incoming, receivedAt: number): Common {
  const at = time === undefined ? undefined : momentOf(time, receivedAt)
  return at === undefined ? known : { ...known, at }
}

/** Docker keeps the break at the end of a line. */
const withoutBreak = (text: string) => (text.endsWith('\n') ? text.trimEnd() : text)

const firstLine = (text: string | undefined) => text?.split('\n', 1)[0]?.trimEnd()

/** What no parser of the user's own may find in an event. */
export const sealedIn = ({ incoming: { isVouched, facts } }: Came): Fields | undefined =>
  isVouched ? { host: null, ...facts } : facts

function saysOtherwise(fields: Fields | undefined, facts: Fields | undefined): boolean {
  for (const name in facts) {
    const said = fields?.[name]
    if (said !== undefined && said !== facts[name]) return true
  }
  return false
}

function addMissing(fields: Fields, more: Fields | undefined) {
  for (const name in more) {
    const value = more[name]
    if (value !== undefined && !Object.hasOwn(fields, name)) fields[name] = value
  }
}
