import type { Fields } from '../../fields.ts'
import type { ParseText } from '../../parsed.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'
import { LONGEST } from './event-in-text.ts'
import { parseWindows } from './windows-event.ts'

/** rsyslog writes a tab so, unless it is told not to. */
const BETWEEN = /\t|#011/

const SNARE = /\bMSWinEventLog(?:\t|#011)/
/** What comes before the text of an event, in this order. */
const COLUMNS = [
  ...['MSWinEventLog', 'Criticality', 'LogName', 'SnareCounter', 'DateTime', 'EventCode'],
  ...['SourceName', 'UserName', 'SIDType', 'EventLogType', 'ComputerName', 'CategoryString'],
]

/** An event of Snare's agent: columns between tabs, then its data and its text, without line breaks. */
const readSnare: ParseText = (text, { receivedAt }) => {
  const begin = SNARE.exec(text)
  if (!begin) return undefined
  const parts = text.slice(begin.index).split(BETWEEN)
  if (parts.length < COLUMNS.length + 2) return undefined
  const fields: Fields = {}
  COLUMNS.slice(1).forEach((name, at) => {
    const part = parts[at + 1]?.trim()
    if (part && part !== 'N/A') fields[name] = part
  })
  const texts = parts.slice(COLUMNS.length + 1)
  // A counter or a checksum is last.
  if (texts.length > 1 && /^\w*$/.test(texts.at(-1)?.trim() ?? '')) texts.pop()
  return readNamed(fields, texts.join('\t').trim(), receivedAt)
}

const WINCOLLECT = /\bAgentDevice=WindowsLog(?:\t|#011)/
const NAMES: Record<string, string> = {
  AgentLogFile: 'LogName',
  Source: 'SourceName',
  Computer: 'ComputerName',
  EventIDCode: 'EventCode',
}

/** An event of QRadar's WinCollect: `AgentDevice=WindowsLog`, names and values between tabs. */
const readWinCollect: ParseText = (text, { receivedAt }) => {
  const begin = WINCOLLECT.exec(text)
  if (!begin) return undefined
  const fields: Fields = {}
  const parts = text.slice(begin.index).split(BETWEEN)
  for (const [at, part] of parts.entries()) {
    const [, name = '', value = ''] = /^(\w{1,40})=(.*)$/s.exec(part) ?? []
    if (name === 'Message')
      return readNamed(fields, [value, ...parts.slice(at + 1)].join('\t'), receivedAt)
    // The number with its upper half, where the other one is the number alone.
    if (name && name !== 'EventID' && value !== '') fields[NAMES[name] ?? name] = value
  }
  return readNamed(fields, undefined, receivedAt)
}

function readNamed(fields: Fields, message: string | undefined, receivedAt: number) {
  if (message) fields.Message = message
  const parsed = parseWindows(fields, { object: {}, receivedAt })
  if (!parsed) return undefined
  const at = parsed.at ?? momentOf(fields.TimeGenerated ?? fields.DateTime, receivedAt)
  return { ...parsed, at, fields: { ...fields, ...parsed.fields } }
}

const ABOUT = {
  group: 'windows',
  kind: 'text',
  ecs: 'host',
  ocsf: { class: 'base_event', activity: 'other' },
  overrules: true,
} as const

const FAILED =
  'An account failed to log on.    Subject:   Security ID:  S-1-0-0   Account Name:  -   Account Domain:  -   Logon ID:  0x0    Logon Type:   3    Account For Which Logon Failed:   Security ID:  S-1-0-0   Account Name:  eve   Account Domain:  CORP    Failure Information:   Failure Reason:  Unknown user name or bad password.   Status:   0xC000006D   Sub Status:  0xC0000064    Process Information:   Caller Process ID: 0x0   Caller Process Name: -    Network Information:   Workstation Name: WS1   Source Network Address: 192.0.2.7   Source Port:  4711    Detailed Authentication Information:   Logon Process:  NtLmSsp    Key Length:  0    This event is generated when a logon request fails.'
const EXPECTED = {
  source: 'windows',
  host: 'ws5.corp.example',
  user: 'eve',
  event_code: '4625',
  src_ip: '192.0.2.7',
  fields: {
    Channel: 'Security',
    Provider_Name: 'Microsoft-Windows-Security-Auditing',
    TargetUserName: 'eve',
    TargetDomainName: 'CORP',
    LogonType: '3',
    LogonProcessName: 'NtLmSsp',
    KeyLength: '0',
    SubStatus: '0xC0000064',
    'source.port': 4711,
  },
}

export const windowsSyslog: TextFormat[] = [
  {
    ...ABOUT,
    id: 'windows.snare',
    title: 'Windows events of Snare (`MSWinEventLog`)',
    when: { marks: ['MSWinEventLog\t', 'MSWinEventLog#011'], begins: SNARE, longest: LONGEST },
    read: readSnare,
    samples: [
      {
        event: `<14>Mar  3 10:00:00 relay1 MSWinEventLog\t1\tSecurity\t77\tTue Mar 03 10:00:00 2026\t4625\tMicrosoft-Windows-Security-Auditing\tN/A\tN/A\tFailure Audit\tws5.corp.example\tLogon\t\t${FAILED}\t78`,
        expect: EXPECTED,
      },
    ],
  },
  {
    ...ABOUT,
    id: 'windows.wincollect',
    title: 'Windows events of QRadar’s WinCollect (`AgentDevice=WindowsLog`)',
    when: {
      marks: ['AgentDevice=WindowsLog\t', 'AgentDevice=WindowsLog#011'],
      begins: WINCOLLECT,
      longest: LONGEST,
    },
    read: readWinCollect,
    samples: [
      {
        event: `<13>Mar  3 10:00:00 relay1 AgentDevice=WindowsLog\tAgentLogFile=Security\tPluginVersion=7.2.9.108\tSource=Microsoft-Windows-Security-Auditing\tComputer=ws5.corp.example\tOriginatingComputer=192.0.2.5\tUser=\tDomain=\tEventID=4625\tEventIDCode=4625\tEventType=16\tEventCategory=12544\tRecordNumber=77\tTimeGenerated=1772532000\tTimeWritten=1772532000\tLevel=Log Always\tKeywords=Audit Failure\tTask=SE_ADT_LOGON_LOGON\tOpcode=Info\tMessage=${FAILED}`,
        expect: { at: '2026-03-03T10:00:00.000Z', ...EXPECTED },
      },
    ],
  },
]
