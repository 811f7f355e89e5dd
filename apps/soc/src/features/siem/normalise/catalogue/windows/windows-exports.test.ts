import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalise } from '../../normalise.ts'

const CHANNEL = 'Microsoft-Windows-Sysmon/Operational'
const PROVIDER = 'Microsoft-Windows-Sysmon'
const TIME = '2025-01-02T03:04:05.678Z'
const DATA = {
  Image: 'C:\\Windows\\System32\\cmd.exe',
  CommandLine: '"C:\\Windows\\System32\\cmd.exe" /c dir "\\\\dc1\\c$" ',
  User: 'CORP\\ann',
  ParentImage: 'C:\\Windows\\explorer.exe',
}
const LIST = Object.entries(DATA)
const XML = `<Event xmlns='x'><System><Provider Name='${PROVIDER}'/><EventID>1</EventID><TimeCreated SystemTime='${TIME}'/><Channel>${CHANNEL}</Channel><Computer>PC1</Computer></System><EventData>${LIST.map(([name, value]) => `<Data Name='${name}'>${value}</Data>`).join('')}</EventData></Event>`
const WINLOG = { channel: CHANNEL, event_id: '1', provider_name: PROVIDER, computer_name: 'PC1' }
const BEAT = { '@timestamp': TIME, winlog: { ...WINLOG, event_data: DATA } }
/** What Elastic's pipelines leave of an event of Sysmon. */
const ECS = {
  '@timestamp': TIME,
  event: { code: '1', provider: PROVIDER },
  winlog: { ...WINLOG, event_data: { IntegrityLevel: 'High' } },
  message: 'Process Create',
}
const SYSTEM = {
  Provider: { Name: PROVIDER },
  EventID: '1',
  Channel: CHANNEL,
  Computer: 'PC1',
  TimeCreated: { SystemTime: TIME },
}

const SHAPES: [shape: string, event: Record<string, unknown>][] = [
  ['a hit of Elastic', { _index: 'w', _id: 'a', _score: 1, _source: BEAT }],
  [
    'a row of Splunk’s export',
    {
      ...{ preview: false, offset: 0 },
      result: { Channel: CHANNEL, EventCode: '1', Computer: 'PC1', _time: TIME, ...DATA },
    },
  ],
  ['Splunk’s export of the raw event', { preview: false, result: { _raw: XML, host: 'PC1' } }],
  ['the XML of Fluent Bit', { System: XML, Message: 'Process Create:', StringInserts: ['-'] }],
  ['the XML of others', { EventXML: XML, host: 'relay1' }],
  [
    'Elastic, the original beside its own names',
    { ...ECS, event: { ...ECS.event, original: XML } },
  ],
  [
    'Elastic, all that has a name of ECS moved there',
    {
      ...ECS,
      process: {
        executable: DATA.Image,
        command_line: DATA.CommandLine,
        parent: { executable: DATA.ParentImage },
      },
      user: { domain: 'CORP', name: 'ann' },
    },
  ],
  [
    'EvtxECmd',
    {
      ...{ Channel: CHANNEL, Provider: PROVIDER, EventId: 1, Computer: 'PC1', TimeCreated: TIME },
      Payload: JSON.stringify({
        EventData: { Data: LIST.map(([name, text]) => ({ '@Name': name, '#text': text })) },
      }),
    },
  ],
  ['Datadog', { ddsource: 'windows.events', Event: { System: SYSTEM, EventData: { Data: DATA } } }],
  [
    'Vector',
    {
      ...{ timestamp: TIME, channel: CHANNEL, event_id: 1, provider_name: PROVIDER },
      ...{ computer: 'PC1', level: 'Information', event_data: DATA },
    },
  ],
  [
    'osquery',
    {
      ...{ name: 'win', hostIdentifier: 'PC1', unixTime: 1735787045, action: 'added' },
      columns: {
        ...{ source: CHANNEL, provider_name: PROVIDER, eventid: '1', datetime: TIME },
        data: JSON.stringify({ EventData: DATA }),
      },
    },
  ],
]

const read = (object: Record<string, unknown>) =>
  normalise({ object }, { receivedAt: Date.UTC(2026, 0, 1), way: 'api', newId: () => 'id' })

for (const [shape, event] of SHAPES) {
  test(`one event, as ${shape}: the same columns and names`, () => {
    const { fields, at, host, process } = read(event)
    assert.deepEqual(
      { EventID: String(fields.EventID), at: new Date(at).toISOString(), host, process },
      { EventID: '1', at: TIME, host: 'PC1', process: 'cmd.exe' },
    )
    assert.partialDeepStrictEqual(fields, { Channel: CHANNEL, Provider_Name: PROVIDER, ...DATA })
  })
}

const PROVIDERS: [log: string, code: string, provider: string | undefined][] = [
  ['System', '7045', 'Service Control Manager'],
  ['System', '104', 'Microsoft-Windows-Eventlog'],
  ['System', '42', undefined],
  ['Security', '4624', 'Microsoft-Windows-Security-Auditing'],
  ['Security', '1102', 'Microsoft-Windows-Eventlog'],
  ['Application', '1000', 'Application Error'],
  ['Application', '1', undefined],
  [CHANNEL, '1', PROVIDER],
]
for (const [LogName, EventCode, provider] of PROVIDERS) {
  test(`who wrote event ${EventCode} of ${LogName}, where nobody says so`, () => {
    const { Provider_Name } = read({ LogName, EventCode, ComputerName: 'PC1' }).fields
    assert.equal(Provider_Name, provider)
  })
}

test('the names in a text are found where a part of the event’s data is empty', () => {
  const { fields } = read({
    ...{ EventID: 4625, Channel: 'Security', ComputerName: 'PC1', Data: '', StringInserts: ['-'] },
    Message:
      'An account failed to log on.\r\n\r\nLogon Type:\t\t\t3\r\n\r\nAccount For Which Logon Failed:\r\n\tAccount Name:\t\teve\r\n',
  })
  assert.partialDeepStrictEqual(fields, { TargetUserName: 'eve', LogonType: '3' })
})
