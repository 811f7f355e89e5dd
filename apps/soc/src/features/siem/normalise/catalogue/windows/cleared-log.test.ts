import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compilePredicate } from '@manara/log-query/predicate'
import { importSigma } from '@manara/sigma/import-sigma'
import { type Incoming, normalise } from '../../normalise.ts'

const PROVIDER = 'Microsoft-Windows-Eventlog'
const OWN = { Channel: 'System', Computer: 'PC1' }
const dataOf = (log: string) => ({
  SubjectUserName: 'ann',
  SubjectDomainName: 'CORP',
  Channel: log,
  BackupPath: '',
})
const said = (log: string) => `The ${log} log file was cleared.`
const xmlOf = (log: string) =>
  `<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider Name='${PROVIDER}'/><EventID>104</EventID><Level>4</Level><TimeCreated SystemTime='2026-03-03T10:00:00Z'/><Channel>System</Channel><Computer>PC1</Computer></System><UserData><LogFileCleared xmlns='http://manifests.microsoft.com/win/2004/08/windows/eventlog'>${Object.entries(
    dataOf(log),
  )
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</LogFileCleared></UserData></Event>`

const SHAPES: [shape: string, of: (log: string) => Incoming][] = [
  ['XML', (log) => ({ text: xmlOf(log) })],
  [
    'evtx_dump',
    (log) => ({
      object: {
        Event: {
          System: { ...OWN, EventID: 104, Provider: { '#attributes': { Name: PROVIDER } } },
          UserData: { LogFileCleared: { '#attributes': { xmlns: 'x' }, ...dataOf(log) } },
        },
      },
    }),
  ],
  [
    'winlogbeat',
    (log) => ({
      object: {
        message: said(log),
        winlog: {
          ...{ event_id: '104', channel: 'System', provider_name: PROVIDER, computer_name: 'PC1' },
          user_data: { xml_name: 'LogFileCleared', ...dataOf(log) },
        },
      },
    }),
  ],
  [
    'winlogbeat by Graylog',
    (log) => ({
      object: {
        winlogbeat_winlog_event_id: 104,
        winlogbeat_winlog_channel: 'System',
        winlogbeat_winlog_provider_name: PROVIDER,
        winlogbeat_winlog_user_data_Channel: log,
      },
    }),
  ],
  [
    'Wazuh',
    (log) => ({
      object: {
        win: {
          system: { providerName: PROVIDER, eventID: '104', channel: 'System', computer: 'PC1' },
          logFileCleared: { subjectUserName: 'ann', subjectDomainName: 'CORP', channel: log },
        },
      },
    }),
  ],
  [
    'EvtxECmd',
    (log) => ({
      object: {
        ...OWN,
        ...{ EventId: 104, Provider: PROVIDER },
        Payload: JSON.stringify({
          UserData: { LogFileCleared: { '@xmlns': 'x', ...dataOf(log) } },
        }),
      },
    }),
  ],
  [
    'Sumo Logic',
    (log) => ({
      object: {
        ...OWN,
        ...{ EventID: '104', Provider: { Name: PROVIDER }, EventData: {} },
        UserData: { LogFileCleared: { xmlns: 'x', ...dataOf(log) } },
      },
    }),
  ],
  [
    'NXLog',
    (log) => ({ object: { ...OWN, EventID: 104, SourceName: PROVIDER, Message: said(log) } }),
  ],
  [
    'the lines of a Splunk forwarder',
    (log) => ({
      text: `03/03/2026 10:00:00 AM\r\nLogName=System\r\nEventCode=104\r\nComputerName=PC1\r\nSourceName=${PROVIDER}\r\nMessage=${said(log)}`,
    }),
  ],
  [
    'Fluent Bit of another language',
    (log) => ({
      object: {
        ...OWN,
        ...{ EventID: 104, ProviderName: PROVIDER },
        Message: `${log} ログ ファイルが消去されました。`,
        StringInserts: Object.values(dataOf(log)),
      },
    }),
  ],
  [
    'Event of Azure Monitor',
    (log) => ({
      object: {
        ...{ EventLog: 'System', Source: PROVIDER, EventID: 104, Computer: 'PC1' },
        EventData: `<DataItem type="System.XmlData"><UserData><LogFileCleared><Channel>${log}</Channel></LogFileCleared></UserData></DataItem>`,
      },
    }),
  ],
]

const arrival = { receivedAt: Date.UTC(2026, 2, 3), way: 'api', newId: () => 'id' }
const ruleOf = (title: string, detection: string) => {
  const content = `title: ${title}\nlogsource: {product: windows, service: system}\ndetection:\n${detection}`
  const [rule] = importSigma([{ name: 'rule.yml', content }]).rules
  assert.ok(rule?.kind === 'query')
  return compilePredicate(rule.query)
}
const CLEARED = `EventID: 104, Provider_Name: ${PROVIDER}`
const IMPORTANT = '[Security, System, Windows PowerShell]'
/** As SigmaHQ has them, and as Hayabusa has the second. */
const isImportant = ruleOf(
  'Important Windows Eventlog Cleared',
  `  s: {${CLEARED}, Channel: ${IMPORTANT}}\n  condition: s`,
)
const isOther = ruleOf(
  'Eventlog Cleared',
  `  s: {${CLEARED}}\n  f: {Channel: ${IMPORTANT}}\n  condition: s and not f`,
)
const isOtherOfHayabusa = ruleOf(
  'Log File Cleared',
  `  s: {${CLEARED}, Channel: System}\n  f: {LogFileClearedChannel: ${IMPORTANT}}\n  condition: s and not f`,
)

describe('a cleared log', () => {
  for (const [shape, of] of SHAPES) {
    test(`as ${shape}: rules tell an important one from another`, () => {
      for (const [log, important] of [
        ['System', true],
        ['Microsoft-Windows-Kernel-PnP/Configuration', false],
      ] as const) {
        const event = normalise(of(log), arrival)
        const { Channel, Provider_Name, LogFileClearedChannel } = event.fields
        assert.deepEqual(
          { Channel, Provider_Name, LogFileClearedChannel },
          { Channel: 'System', Provider_Name: PROVIDER, LogFileClearedChannel: log },
        )
        assert.deepEqual(
          [isImportant(event), isOther(event), isOtherOfHayabusa(event)],
          [important, !important, !important],
        )
      }
    })
  }

  test('of which nothing is said counts as an important one', () => {
    const object = {
      ...OWN,
      EventID: 104,
      SourceName: PROVIDER,
      Message: 'Das Protokoll ist leer.',
    }
    const event = normalise({ object }, arrival)
    assert.deepEqual([isImportant(event), isOther(event)], [true, false])
  })

  test('is not what another provider says by that number', () => {
    const object = {
      ...OWN,
      EventID: 104,
      SourceName: 'WudfUsbccidDriver',
      Message: said('System'),
    }
    assert.ok(!Object.hasOwn(normalise({ object }, arrival).fields, 'LogFileClearedChannel'))
  })

  test('Security: who cleared it is read from the text', () => {
    const Message =
      'The audit log was cleared.\r\nSubject:\r\n\tSecurity ID:\tS-1-5-21-1\r\n\tAccount Name:\tann\r\n\tDomain Name:\tCORP\r\n\tLogon ID:\t0x1971888'
    const object = { LogName: 'Security', EventCode: 1102, SourceName: PROVIDER, Message }
    const { fields, user } = normalise({ object }, arrival)
    assert.equal(user, 'ann')
    assert.partialDeepStrictEqual(fields, {
      SubjectDomainName: 'CORP',
      SubjectLogonId: '0x1971888',
    })
  })
})
