import type { Fields } from '../../fields.ts'
import { textOf } from '../../parsed.ts'
import { XML_PLACES } from './event-in-text.ts'

/** Shapes that put something before every name: of NXLog over GELF and as structured data. */
const NXLOG = ['_', 'NXLOG@14506.']
const GELF = '_EventID'

/** Winlogbeat, and what Graylog makes of its names. */
const BEATS = ['winlog.', 'winlog_', 'winlogbeat_winlog_', 'winlogbeat_']
/** Wazuh. */
const WAZUH = ['win.system.', 'data.win.system.']
/** The receiver of OpenTelemetry, as the body of a record and where that was text. */
const OTEL = ['body.', '']

/** osquery's table of events. */
const OSQUERY = {
  EventID: 'columns.eventid',
  Channel: 'columns.source',
  Provider_Name: 'columns.provider_name',
}

const under = (prefixes: string[], ...names: string[]) =>
  prefixes.flatMap((prefix) => names.map((name) => prefix + name))

/** Names that only an event of Windows has. */
const CERTAIN = {
  EventID: [
    'EventID',
    'EventId',
    ...under(BEATS, 'event_id'),
    'event_id',
    ...under(NXLOG, 'EventID'),
    ...under(WAZUH, 'eventID'),
    OSQUERY.EventID,
  ],
  Channel: [
    'Channel',
    ...under(BEATS, 'channel'),
    'log_name',
    'winlogbeat_log_name',
    'LogName',
    ...under(NXLOG, 'Channel'),
    ...under(WAZUH, 'channel'),
    OSQUERY.Channel,
  ],
  Provider_Name: [
    'Provider_Name',
    'SourceName',
    ...under(BEATS, 'provider_name'),
    'source_name',
    'winlogbeat_source_name',
    'ProviderName',
    ...under(NXLOG, 'SourceName', 'ProviderName'),
    ...under(WAZUH, 'providerName'),
    OSQUERY.Provider_Name,
  ],
}

/** Names that others have too: it is for their values to say whether they are of Windows. */
const DOUBTFUL = {
  EventID: ['EventCode', 'event.code', ...under(OTEL, 'event_id.id'), 'Id'],
  Channel: ['EventLog', ...under(OTEL, 'channel')],
  Provider_Name: [
    'EventSourceName',
    'Provider',
    'Provider.Name',
    'event.provider',
    ...under(OTEL, 'provider.name'),
    'provider_name',
    'Source',
  ],
}

/** Where each name of an event's system part stands in the shapes that forwarders give it, the best first. */
const SYSTEM: Record<string, string[]> = {
  EventID: [...CERTAIN.EventID, ...DOUBTFUL.EventID],
  Channel: [...CERTAIN.Channel, ...DOUBTFUL.Channel],
  Provider_Name: [...CERTAIN.Provider_Name, ...DOUBTFUL.Provider_Name],
  Computer: [
    'Computer',
    'Hostname',
    ...under(BEATS, 'computer_name'),
    'computer_name',
    'MachineName',
    'ComputerName',
    ...under(NXLOG, 'Hostname', 'Computer'),
    ...under(WAZUH, 'computer'),
    ...under(OTEL, 'computer'),
    'columns.computer_name',
    'hostIdentifier',
  ],
  Level: ['Level', 'winlog.level', ...under(WAZUH, 'level'), 'EventLevel', 'body.level', 'level'],
  SystemTime: [...under(WAZUH, 'systemTime'), ...under(OTEL, 'system_time'), 'columns.datetime'],
  Message: [
    'Message',
    ...under(WAZUH, 'message'),
    'body.message',
    'RenderedDescription',
    'full_message',
  ],
}

/** In the order in which an event has them. */
export const SYSTEM_NAMES = Object.keys(SYSTEM)

const RANKS = new Map(
  Object.entries(SYSTEM).flatMap(([name, places]) =>
    places.map((place, rank) => [place, { name, rank }] as const),
  ),
)

/** Which of an event's names holds what; those that hold nothing do not count. */
export type Places = Record<string, string>

/** One pass over the event: it has fewer names than there are places. */
export function placesIn(fields: Fields): Places {
  const found: Places = {}
  for (const place in fields) {
    const ranked = RANKS.get(place)
    if (!ranked || textOf(fields[place]) === undefined) continue
    // GELF counts its levels as syslog does, and only beside a log a source is a provider.
    if (place === 'level' && Object.hasOwn(fields, GELF)) continue
    if (place === 'Source' && !Object.hasOwn(fields, 'EventLog')) continue
    const { name, rank } = ranked
    const other = RANKS.get(found[name] ?? '')
    if (!other || rank < other.rank) found[name] = place
  }
  return found
}

const isCertain = (name: keyof typeof CERTAIN, { [name]: place }: Places) =>
  place !== undefined && CERTAIN[name].includes(place)

const NUMBER = /^\d{1,5}$/
const CHANNEL =
  /^(?:Microsoft-|MSExchange|PowerShellCore\/|OpenSSH\/|(?:Windows PowerShell|ForwardedEvents|DNS Server|Directory Service|DFS Replication|File Replication Service|Key Management Service|Hardware Events)$)|\/(?:Operational|Admin|Analytic|Debug)$/i
/** Words that anybody may use. */
const PLAIN_CHANNEL = /^(?:Security|System|Application|Setup)$/i
const PROVIDER = /^(?:Microsoft-|MSExchange|Service Control Manager$|PowerShell(?:Core)?$)/i
const SOURCETYPE = /^(?:Xml)?WinEventLog:(.+)$/i

/**
 * An event number with a channel or provider: an `EventID` alone may be anybody's, and an
 * `EventCode` is one of Windows only beside a channel or provider that Windows has.
 */
export function isWindows(fields: Fields, found: Places): boolean {
  const of = (name: string) => textOf(fields[found[name] ?? ''])
  const number = of('EventID')
  if (number === undefined) return false
  const isNamed = isCertain('Channel', found) || isCertain('Provider_Name', found)
  if (isNamed && isCertain('EventID', found)) return true
  if (found.Channel?.startsWith('winlog')) return true
  if (!NUMBER.test(number)) return false
  const channel = of('Channel') ?? channelOfSourcetype(fields) ?? ''
  const provider = of('Provider_Name') ?? ''
  const computer = of('Computer')
  if (CHANNEL.test(channel) || PROVIDER.test(provider)) return true
  if (computer !== undefined && Object.hasOwn(fields, 'LogName')) return true
  return PLAIN_CHANNEL.test(channel) && (provider !== '' || computer !== undefined)
}

/** Shapes that have the event's data in its text, or in a list without names. */
export const isUnnamed = (fields: Fields, { EventID: place = '' }: Places) =>
  DOUBTFUL.EventID.includes(place) ||
  Object.hasOwn(fields, 'StringInserts') ||
  Array.isArray(fields.EventData)

/** `WinEventLog:Security` of Splunk. */
export const channelOfSourcetype = ({ sourcetype }: Fields) =>
  SOURCETYPE.exec(textOf(sourcetype) ?? '')?.[1]

const pairs = (keys: string[], marks: string[]) =>
  keys.flatMap((key) => marks.map((mark) => [key, mark]))

const CONVERTED = ['Event.System.', 'System.', 'document.data.Event.System.']

/** By what an event of Windows is known; the first of each is what few others have. */
export const KNOWN_BY: string[][] = [
  ...pairs(
    [
      'Channel',
      'LogName',
      'SourceName',
      'ProviderName',
      'Provider_Name',
      'log_name',
      'source_name',
    ],
    ['EventID', 'EventId', 'event_id', 'winlog.event_id'],
  ),
  ...pairs(
    ['winlog.channel', 'winlog.provider_name'],
    ['winlog.event_id', 'event.code', 'EventID', 'EventId', 'event_id'],
  ),
  ...pairs(
    ['EventCode'],
    ['Channel', 'LogName', 'SourceName', 'ProviderName', 'Provider_Name', 'sourcetype'],
  ),
  ...pairs(['EventLog', 'EventSourceName', 'Provider'], ['EventID']),
  ['event.provider', 'event.code'],
  ['ProviderName', 'LogName', 'Id'],
  ...OTEL.map((prefix) => [`${prefix}event_id.id`, `${prefix}channel`]),
  ...pairs(['provider_name'], ['event_id']),
  [OSQUERY.EventID, OSQUERY.Provider_Name],
  // Others keep originals too.
  ...XML_PLACES.slice(1).map((name) => [name]),
  ...under(BEATS.slice(1), 'event_id').map((name) => [name]),
  ...[...under(NXLOG, 'EventID'), ...under(WAZUH, 'eventID')].map((name) => [name]),
  ...under(CONVERTED, 'EventID', 'Channel', 'Computer').map((name) => [name]),
]
