import { CATALOGUE } from './catalogue/catalogue.ts'
import { parseExactly } from './exact-json.ts'
import { type Fields, flatten, type JsonMap, rebuild } from './fields.ts'
import { UNREAD } from './keep-unread.ts'
import {
  type Came,
  type NormalisedLog,
  readCame,
  sealedIn,
  TIME_MARK,
  TIME_SAID,
} from './normalise.ts'
import type { OwnParsers } from './own/own-parsers.ts'
import { COLLECTOR, PARSER, textOf, WRITTEN_COLLECTOR } from './parsed.ts'
import { FILLABLE, type Fillable, partFields, SENT } from './parser-marks.ts'
import { createRecogniser, type Recogniser } from './recognise.ts'
import { APPNAME, CLIENT, PEER } from './syslog-header.ts'
import type { Common } from './take-common.ts'

const REMEMBERING = new Set(CATALOGUE.filter(({ remembers }) => remembers).map(({ id }) => id))
const WAYS = new Set(['api', 'hec', 'elastic', 'otlp', 'syslog'])
const DEVICE = 'device_id'
const NO_FORMATS = createRecogniser([])

/**
 * A stored event as it would be read if it came now: what came with it stays, what a parser had
 * added is replaced. Its id, message, arrival and original are those it has.
 */
export function reread(
  log: NormalisedLog,
  own: Pick<OwnParsers, 'apply'>,
  recogniser?: Recogniser,
): NormalisedLog {
  const parser = log.fields[PARSER]
  const isRemembered = typeof parser === 'string' && REMEMBERING.has(parser)
  const { came, way, added } = cameWith(log)
  const arrival = { receivedAt: log.received_at, way, newId: () => log.id, recogniser }
  const read = isRemembered ? log : readCame(came, arrival)
  if (read.at === log.received_at) keepTimeMarks(read.fields, added)
  return own.apply({ ...read, message: log.message }, sealedIn(came))
}

/** An impossible time is said where the sender said it, which is not always among the fields. */
function keepTimeMarks(fields: Fields, added: Fields) {
  for (const name of [TIME_MARK, TIME_SAID]) fields[name] ??= added[name] as Fields[string]
  for (const name of [TIME_MARK, TIME_SAID]) if (fields[name] === undefined) delete fields[name]
}

function cameWith(log: NormalisedLog): { came: Came; way: string; added: Fields } {
  const { sent, added, filled } = partFields(log.fields)
  const fields = withOriginal(sent, log.original)
  delete fields[UNREAD]
  const rest = () => shaped(sent, log.original)
  const { original, message } = log
  // The header of syslog is of the protocol: a device may know better than its relay.
  const isVouched = isOfDevice(log)
  const isHeader = Object.hasOwn(fields, PEER) && !isVouched
  const peer = isHeader ? textOf(fields[PEER]) : undefined
  const isWritten = Object.hasOwn(fields, WRITTEN_COLLECTOR)
  const sender = isWritten ? { host: added[COLLECTOR] } : undefined
  const facts = factsIn(fields, isVouched ? [DEVICE] : [PEER, CLIENT])
  const way = WAYS.has(log.source) && !filled.includes('source') ? log.source : 'api'
  const came = (header: Common, beside: Common, own: Fields): Came => ({
    incoming: { known: isHeader || isVouched ? header : {}, peer, isVouched, facts },
    known: { ...(isHeader ? header : {}), id: log.id, message },
    common: isHeader ? beside : { ...header, ...beside },
    ...{ fields: own, rest, original, line: message, text: undefined, times: [], sender },
  })
  const bare = readCame(came({}, {}, { ...fields }), {
    ...{ receivedAt: log.received_at, way, newId: () => log.id, recogniser: NO_FORMATS },
  })
  const said: Partial<Record<Fillable, string | number | undefined>> = {}
  for (const name of FILLABLE) {
    // What its fields say without any parser is not said twice.
    const isSaid = log[name] !== bare[name] || (isHeader && name === 'severity')
    if (filled.includes(name)) said[name] = saidBefore(name, added)
    else if (isSaid) said[name] = log[name] ?? undefined
  }
  said.process = said.process && (textOf(fields[APPNAME]) ?? said.process)
  const { at, host, severity, process, event_code, ...beside } = said as Common
  const header = defined({ at, host, severity, process, event_code })
  return { way, added, came: came(header, defined(beside), fields) }
}

/** What came, where a parser of the user's own replaced it or not. */
function withOriginal(sent: Fields, original: string | null): Fields {
  if (original === null) return sent
  const { [PARSER]: _, ...came } = flatten(parseExactly(original) as JsonMap).fields
  return { ...came, ...sent }
}

const shaped = (sent: Fields, original: string | null): JsonMap =>
  original === null ? rebuild({ fields: sent, original }) : (parseExactly(original) as JsonMap)

/** One that a device signed has the device before its own id: no name in it is of another machine. */
const isOfDevice = ({ id, source, fields }: NormalisedLog) =>
  source === 'device' && typeof fields[DEVICE] === 'string' && id.startsWith(`${fields[DEVICE]}:`)

const factsIn = (fields: Fields, names: string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))

/** Before a parser filled the column. */
function saidBefore(name: Fillable, added: Fields): string | number | undefined {
  const before = textOf(added[SENT + name] ?? (name === 'host' ? added[COLLECTOR] : undefined))
  if (before === undefined) return undefined
  return name === 'at' ? Date.parse(before) : before
}

const defined = (common: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(common).filter(([, value]) => value !== undefined)) as Common
