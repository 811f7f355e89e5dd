import { addressOf } from '../../addresses.ts'
import type { Fields } from '../../fields.ts'
import { type ParseObject, textOf } from '../../parsed.ts'
import { keptFields, numberIn } from '../../scan/kept-fields.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat } from '../log-format.ts'
import { CLEARED, clearedLog } from './cleared-log.ts'
import { eventIn, readXml } from './converted-xml.ts'
import { channelOf, EVENTLOG, isOfBeats, namesOfEcs, providerOf } from './ecs-names.ts'
import { eventInText } from './event-in-text.ts'
import { liftData } from './lift-data.ts'
import { namesInMessage } from './message-lines.ts'
import {
  channelOfSourcetype,
  isUnnamed,
  isWindows,
  KNOWN_BY,
  placesIn,
  SYSTEM_NAMES,
} from './places.ts'

/**
 * Windows events of every forwarder: flat (NXLog, Splunk, Sentinel), as converted XML (`Event.System`,
 * `EventData` as a list or a map), of winlogbeat, Wazuh and OpenTelemetry. Names come out as Sigma's
 * rules have them.
 */
export const parseWindows: ParseObject = (fields, { object, receivedAt, message }) => {
  const added: Fields = {}
  const places = placesIn(fields)
  const event = eventIn(object) ?? eventInText(fields)
  if (event) readXml(event, added)
  else if (!isWindows(fields, places)) return undefined

  for (const name of SYSTEM_NAMES) {
    const place = places[name]
    if (place !== undefined && place !== name) added[name] ??= fields[place] ?? null
  }
  const isLifted = liftData(fields, added)
  if (added.Provider_Name === DISPLAYED) added.Provider_Name = AUDITING

  const of = (name: string) => textOf(added[name]) ?? textOf(fields[name])
  if (of('Provider_Name')?.includes('Defender')) addPlainNames(fields, added)
  const code = of('EventID')
  if (of('Channel') === undefined) {
    const channel = channelOfSourcetype(fields) ?? channelOf(of('Provider_Name'), code)
    if (channel) added.Channel = channel
  }
  if (of('Provider_Name') === undefined) {
    const provider = providerOf(of('Channel'), code)
    if (provider) added.Provider_Name = provider
  }
  if (!event && isOfBeats(fields)) {
    fill(added, namesOfEcs(fields, { code, provider: of('Provider_Name'), isLifted }))
  }
  if (!event && !isLifted && isUnnamed(fields, places))
    addData(fields, added, of('Message') ?? message)
  if (code === '104' && of('Provider_Name') === EVENTLOG) {
    const cleared = clearedLog(fields, of('Message') ?? message)
    if (cleared) added[CLEARED] ??= cleared
  }
  addShared(code, of, added)
  const image = of('Image') ?? of('NewProcessName') ?? of('ProcessName') ?? of('Application')
  return {
    source: 'windows',
    at: firstMoment(
      [of('SystemTime'), of('@timestamp'), of('TimeCreated'), of('UtcTime'), of('EventTime')],
      receivedAt,
    ),
    machine: of('Computer') ?? of('Hostname'),
    host: of('Computer') ?? of('Hostname'),
    severity:
      severityOf(of('SeverityName')) ??
      severityOf(of('Level'), 'windows') ??
      severityOf(of('Severity')) ??
      severityOf(of('Type')),
    message: of('Message'),
    user: userOf(code, of),
    process: image?.split(/[\\/]/).at(-1),
    event_code: code,
    src_ip: firstAddress([
      of('SourceIp'),
      of('IpAddress'),
      of('SourceAddress'),
      of('ClientAddress'),
    ]),
    dst_ip: firstAddress([of('DestinationIp'), of('DestAddress')]),
    fields: added,
  }
}

/** Splunk's forwarder writes a provider as Windows shows it. */
const DISPLAYED = 'Microsoft Windows security auditing.'
const AUDITING = 'Microsoft-Windows-Security-Auditing'

/** Of these an event that brings its data has one. */
const DATA = ['UtcTime', 'SubjectUserSid', 'SubjectUserName', 'TargetUserName', 'ScriptBlockText']
const MORE_DATA = ['Payload', 'Data', 'Image', 'CommandLine', 'ServiceName', 'Application']

/** For shapes that have the event's data elsewhere than under its names. */
function addData(fields: Fields, added: Fields, said: string | undefined) {
  const code = textOf(added.EventID ?? fields.EventID)
  // Fluentd calls it a description.
  const message = said ?? textOf(fields.Description)
  const hasData = [...DATA, ...MORE_DATA].some((name) => textOf(fields[name]))
  if (message !== undefined && !hasData) fill(added, namesInMessage(message, code))
}

function fill(added: Fields, more: Fields) {
  for (const name in more) added[name] ??= more[name] ?? null
}

type Of = (name: string) => string | undefined

// Whose deed it was: for logons the account that came in, else the one that acted.
const ABOUT_TARGET = new Set([
  '4624',
  '4625',
  '4634',
  '4647',
  '4768',
  '4769',
  '4771',
  '4776',
  '4740',
])

function userOf(code: string | undefined, of: Of) {
  const target = of('TargetUserName') ?? of('TargetUser')
  const subject = of('SubjectUserName') ?? of('User') ?? of('DetectionUser') ?? of('AccountName')
  return ABOUT_TARGET.has(code ?? '') ? (target ?? subject) : (subject ?? target)
}

// In ECS, beside the names of Windows: what is short, and what other sources have too.
const OUTCOMES = new Map([
  ['4624', 'success'],
  ['4625', 'failure'],
  ['4771', 'failure'],
])
const AUDIT_FAILURE = 0x10000000000000n

function addShared(code: string | undefined, of: Of, added: Fields) {
  const keywords = of('Keywords')
  const isFailure =
    keywords === 'Audit Failure' ||
    (keywords?.startsWith('0x') && (bitsOf(keywords) & AUDIT_FAILURE) !== 0n)
  const shared = keptFields({
    'source.port': numberIn(of('SourcePort') ?? of('IpPort')),
    'destination.port': numberIn(of('DestinationPort') ?? of('DestPort')),
    'event.outcome': isFailure ? 'failure' : OUTCOMES.get(code ?? ''),
    ...hashesOf(of('Hashes')),
  })
  fill(added, shared)
}

const bitsOf = (hex: string) => (/^0x[0-9a-f]{1,16}$/i.test(hex) ? BigInt(hex) : 0n)

/** `SHA256=…,MD5=…` of Sysmon. */
function hashesOf(hashes: string | undefined): Record<string, string> {
  const found: Record<string, string> = {}
  for (const one of hashes?.split(',', 8) ?? []) {
    const [kind = '', hash = ''] = one.split('=', 2)
    if (/^(?:MD5|SHA1|SHA256)$/.test(kind)) found[`file.hash.${kind.toLowerCase()}`] = hash
  }
  return found
}

/** Defender's names have spaces, `Threat Name`: also found, and used by rules, without them. */
function addPlainNames(fields: Fields, added: Fields) {
  for (const from of [fields, { ...added }]) {
    for (const name in from) {
      const plain = name.includes(' ')
        ? name.slice(name.lastIndexOf('.') + 1).replaceAll(' ', '')
        : ''
      if (plain) added[plain] ??= from[name] ?? null
    }
  }
}

function firstMoment(values: (string | undefined)[], receivedAt: number) {
  for (const value of values) {
    const at = momentOf(value, receivedAt)
    if (at !== undefined) return at
  }
  return undefined
}

const firstAddress = (values: (string | undefined)[]) => values.map(addressOf).find(Boolean)

export const windowsEvent: ObjectFormat = {
  id: 'windows.event',
  title:
    'Windows events, flat, as converted XML, of winlogbeat, Splunk, Wazuh, Sentinel, OpenTelemetry and others',
  group: 'windows',
  kind: 'object',
  ecs: 'host',
  ocsf: { class: 'base_event', activity: 'other' },
  when: { names: KNOWN_BY },
  // An alert of Wazuh says more than the event in it.
  read: (fields, context) =>
    Object.hasOwn(fields, 'rule.level') && Object.hasOwn(fields, 'data.win.system.eventID')
      ? undefined
      : parseWindows(fields, context),
  samples: [
    {
      event: {
        EventTime: '2026-03-03 10:00:00',
        Hostname: 'ws5.corp.example',
        Channel: 'Security',
        SourceName: 'Microsoft-Windows-Security-Auditing',
        EventID: 4625,
        TargetUserName: 'eve',
        IpAddress: '192.0.2.7',
        IpPort: '4711',
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        host: 'ws5.corp.example',
        user: 'eve',
        event_code: '4625',
        src_ip: '192.0.2.7',
        fields: {
          Provider_Name: 'Microsoft-Windows-Security-Auditing',
          'source.port': 4711,
          'event.outcome': 'failure',
        },
      },
    },
    {
      event: {
        '@timestamp': '2026-03-03T10:00:00Z',
        winlog: {
          event_id: 1116,
          channel: 'Microsoft-Windows-Windows Defender/Operational',
          provider_name: 'Microsoft-Windows-Windows Defender',
          computer_name: 'ws5.corp.example',
          event_data: {
            'Threat Name': 'TrojanDownloader:Test',
            'Severity Name': 'Severe',
            'Detection User': 'CORP\\eve',
            'Process Name': 'C:\\Windows\\explorer.exe',
            Path: 'file:_C:\\Temp\\a.exe',
          },
        },
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        host: 'ws5.corp.example',
        severity: 'high',
        user: 'CORP\\eve',
        process: 'explorer.exe',
        event_code: '1116',
        fields: { ThreatName: 'TrojanDownloader:Test' },
      },
    },
  ],
}
