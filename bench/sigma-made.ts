import type { LogRecord } from '@manara/log-query/event'
import type { SigmaFile } from '@manara/sigma/import-sigma'

/**
 * Rules and Windows events in the shape of real ones: half of the rules about processes, most of
 * the events about memory access, libraries and the registry, and few matches.
 */
type Random = () => number

export const seeded = (seed: number): Random => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const pick = <T>(random: Random, values: readonly [T, ...T[]]): T =>
  values[Math.floor(random() * values.length)] ?? values[0]

const repeat = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const PROGRAMS = [
  ...['powershell', 'cmd', 'rundll32', 'svchost', 'explorer', 'lsass', 'wscript', 'mshta', 'net'],
  ...repeat(400, (n) => `tool${n.toString(36)}`),
] as [string, ...string[]]
const FOLDERS = [
  'Windows\\System32',
  'Users\\Public',
  'ProgramData',
  'Temp',
  'Program Files\\App',
] as const
const SYLLABLES = [
  ...['in', 'vo', 'ke', 'load', 'net', 'ex', 'pass', 'dump', 'reg', 'sam', 'web', 'tor', 'cat'],
  ...['hash', 'mon', 'dll', 'run', 'ser', 'vice', 'key', 'pipe', 'cred', 'lat', 'hook', 'obj'],
] as [string, ...string[]]

const word = (random: Random) =>
  repeat(3 + Math.floor(random() * 3), () => pick(random, SYLLABLES)).join('')
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const list = (values: string[]) => `[${values.map(quoted).join(', ')}]`

/** A category, how often rules have it, and the fields they ask about. */
const CATEGORIES: [logsource: string, weight: number, fields: [string, ...string[]]][] = [
  ['category: process_creation', 50, ['Image', 'CommandLine', 'ParentImage', 'OriginalFileName']],
  ['category: registry_set', 10, ['TargetObject', 'Details', 'Image']],
  ['category: file_event', 9, ['TargetFilename', 'Image']],
  ['category: ps_script', 8, ['ScriptBlockText']],
  ['service: security', 8, ['ObjectName', 'SubjectUserName', 'ProcessName']],
  ['category: image_load', 6, ['ImageLoaded', 'Image']],
  ['category: network_connection', 4, ['Image', 'DestinationHostname']],
  ['category: process_access', 3, ['TargetImage', 'SourceImage', 'CallTrace']],
  ['category: dns_query', 2, ['QueryName', 'Image']],
]

const weighted = (random: Random) => {
  let left = random() * CATEGORIES.reduce((sum, [, weight]) => sum + weight, 0)
  for (const category of CATEGORIES) {
    left -= category[1]
    if (left < 0) return category
  }
  return CATEGORIES[0] ?? (['', 0, ['Image']] as const)
}

const itemFor = (field: string, random: Random): string => {
  const isPath = /Image|Filename|ProcessName/.test(field)
  const some = 1 + Math.floor(random() * 4)
  if (isPath)
    return `${field}|endswith: ${list(repeat(some, () => `\\${pick(random, PROGRAMS)}.exe`))}`
  const kind = random()
  if (kind < 0.03)
    return `${field}|re: ${quoted(`(?i)${word(random)}.{1,20}(${word(random)}|${word(random)})`)}`
  if (kind < 0.06)
    return `${field}|contains|windash: ${list(repeat(some, () => ` -${word(random)}`))}`
  if (kind < 0.25) return `${field}|contains|all: ${list(repeat(2, () => word(random)))}`
  return `${field}|contains: ${list(repeat(some, () => word(random)))}`
}

export const madeRules = (count: number, random: Random): SigmaFile[] =>
  repeat(count, (number) => {
    const [logsource, , fields] = weighted(random)
    const chosen = new Set([pick(random, fields), pick(random, fields)])
    const items = [...chosen].map((field) => `        ${itemFor(field, random)}`).join('\n')
    const filter =
      random() < 0.4 ? `    filter:\n        ${itemFor(pick(random, fields), random)}\n` : ''
    const content = `title: Rule ${number}
id: rule-${number}
logsource:
    product: windows
    ${logsource}
detection:
    selection:
${items}
${filter}    condition: selection${filter ? ' and not filter' : ''}
`
    return { name: `rule-${number}.yml`, content }
  })

const SYSMON = 'Microsoft-Windows-Sysmon/Operational'
const POWERSHELL = 'Microsoft-Windows-PowerShell/Operational'
const path = (random: Random) => `C:\\${pick(random, FOLDERS)}\\${pick(random, PROGRAMS)}.exe`
const sentence = (random: Random, words: number) =>
  repeat(words, () =>
    random() < 0.2 ? word(random) : `w${Math.floor(random() * 1e6).toString(36)}`,
  ).join(' ')

type Make = (random: Random) => Record<string, string>

const EVENTS: [share: number, channel: string, eventId: number, make: Make][] = [
  [
    0.3,
    SYSMON,
    10,
    (random) => ({
      SourceImage: path(random),
      TargetImage: path(random),
      GrantedAccess: '0x1410',
      CallTrace: repeat(
        12,
        () => `C:\\Windows\\System32\\${word(random)}.dll+${Math.floor(random() * 1e6)}`,
      ).join('|'),
    }),
  ],
  [
    0.17,
    SYSMON,
    7,
    (random) => ({
      Image: path(random),
      ImageLoaded: `C:\\Windows\\System32\\${word(random)}.dll`,
      Company: 'Microsoft Corporation',
      Signed: 'true',
      Hashes: `SHA256=${Math.floor(random() * 1e15)
        .toString(16)
        .padStart(64, '0')}`,
    }),
  ],
  [
    0.18,
    SYSMON,
    13,
    (random) => ({
      Image: path(random),
      TargetObject: `HKLM\\SOFTWARE\\Microsoft\\${word(random)}\\${word(random)}`,
      Details: sentence(random, 2),
    }),
  ],
  [
    0.2,
    'Security',
    4663,
    (random) => ({
      SubjectUserName: `user${Math.floor(random() * 500)}`,
      ObjectName: `\\Device\\${word(random)}`,
      ProcessName: path(random),
    }),
  ],
  [
    0.03,
    SYSMON,
    1,
    (random) => ({
      Image: path(random),
      CommandLine: `${path(random)} ${sentence(random, 8)}`,
      ParentImage: path(random),
      ParentCommandLine: path(random),
      OriginalFileName: `${word(random)}.exe`,
    }),
  ],
  [
    0.02,
    'Security',
    4688,
    (random) => ({
      NewProcessName: path(random),
      CommandLine: `${path(random)} ${sentence(random, 8)}`,
      ParentProcessName: path(random),
      SubjectUserName: `user${Math.floor(random() * 500)}`,
    }),
  ],
  [
    0.04,
    SYSMON,
    3,
    (random) => ({
      Image: path(random),
      DestinationIp: `10.0.${Math.floor(random() * 250)}.7`,
      DestinationHostname: `${word(random)}.example.org`,
    }),
  ],
  [0.03, SYSMON, 11, (random) => ({ Image: path(random), TargetFilename: path(random) })],
  [0.02, POWERSHELL, 4104, (random) => ({ ScriptBlockText: sentence(random, 60) })],
  [
    0.01,
    SYSMON,
    22,
    (random) => ({ Image: path(random), QueryName: `${word(random)}.example.org` }),
  ],
]

const eventKind = (random: Random) => {
  let left = random()
  for (const kind of EVENTS) {
    left -= kind[0]
    if (left < 0) return kind
  }
  return EVENTS[0]
}

export const madeEvents = (count: number, random: Random): LogRecord['fields'][] =>
  repeat(count, () => {
    const [, Channel, EventID, make] = eventKind(random) ?? assertNever()
    const data = make(random)
    const Message = Object.entries(data)
      .map(([key, value]) => `${key}: ${value}`)
      .join('\r\n')
    return { EventID, Channel, Hostname: `pc-${Math.floor(random() * 300)}`, ...data, Message }
  })

const assertNever = (): never => {
  throw new Error('there are kinds of events')
}
