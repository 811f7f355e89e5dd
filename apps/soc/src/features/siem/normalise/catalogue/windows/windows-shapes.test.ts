import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Incoming, normalise } from '../../normalise.ts'
import { PARSER } from '../../parsed.ts'
import { RECOGNISER } from '../../recognise.ts'

const CHANNEL = 'Microsoft-Windows-Sysmon/Operational'
const PROVIDER = 'Microsoft-Windows-Sysmon'
const TIME = '2025-01-02T03:04:05.678Z'
const DATA = {
  UtcTime: '2025-01-02 03:04:05.678',
  Image: 'C:\\Windows\\System32\\cmd.exe',
  CommandLine: '"C:\\Windows\\System32\\cmd.exe" /c dir "\\\\dc1\\c$"',
  User: 'CORP\\ann',
}
const MESSAGE = `Process Create:\r\n${Object.entries(DATA)
  .map(([name, value]) => `${name}: ${value}`)
  .join('\r\n')}`
const OWN = { Computer: 'PC1', Channel: CHANNEL, EventID: 1 }
const SPLUNK = { LogName: CHANNEL, EventCode: 1, ComputerName: 'PC1', SourceName: PROVIDER }

const renamed = (names: object, nameOf: (name: string) => string) =>
  Object.fromEntries(Object.entries(names).map(([name, value]) => [nameOf(name), value]))
const small = (name: string) => name.slice(0, 1).toLowerCase() + name.slice(1)
const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
const XML_DATA = Object.entries(DATA)
  .map(([name, value]) => `<Data Name="${name}">${value}</Data>`)
  .join('')
const WAZUH = {
  system: { providerName: PROVIDER, eventID: '1', channel: CHANNEL, computer: 'PC1' },
  eventdata: renamed(DATA, small),
}

const SHAPES: [shape: string, event: Incoming | object][] = [
  ['NXLog and Security Datasets', { ...OWN, SourceName: PROVIDER, ...DATA }],
  [
    'Splunk, with a channel',
    { Channel: CHANNEL, EventCode: 1, SourceName: PROVIDER, Computer: 'PC1', ...DATA },
  ],
  ['Splunk, with the name of the log', { ...SPLUNK, ...DATA }],
  ['Splunk, with the text alone', { ...SPLUNK, Message: MESSAGE }],
  [
    'Splunk by HEC, the channel in the sourcetype',
    {
      object: { EventCode: '1', ComputerName: 'PC1', SourceName: PROVIDER, ...DATA },
      extra: { sourcetype: `WinEventLog:${CHANNEL}` },
    },
  ],
  [
    'the lines of a Splunk forwarder',
    {
      text: `01/02/2025 03:04:05 AM\r\nLogName=${CHANNEL}\r\nEventCode=1\r\nComputerName=PC1\r\nSourceName=${PROVIDER}\r\nMessage=${MESSAGE}`,
      known: { host: 'uf1' },
      time: 1735787045.678,
    },
  ],
  ['Wazuh', { win: WAZUH }],
  [
    'Wazuh, as its agents escape it',
    {
      data: {
        win: {
          ...WAZUH,
          eventdata: Object.fromEntries(
            Object.entries(WAZUH.eventdata).map(([name, value]) => [name, escaped(String(value))]),
          ),
        },
      },
    },
  ],
  [
    'xml2js',
    {
      Event: {
        $: { xmlns: 'http://schemas.microsoft.com/win/2004/08/events/event' },
        System: [
          {
            Provider: [{ $: { Name: PROVIDER } }],
            EventID: ['1'],
            TimeCreated: [{ $: { SystemTime: TIME } }],
            Channel: [CHANNEL],
            Computer: ['PC1'],
          },
        ],
        EventData: [
          { Data: Object.entries(DATA).map(([Name, text]) => ({ _: text, $: { Name } })) },
        ],
      },
    },
  ],
  [
    'evtx_dump with separate attributes',
    {
      Event: {
        System: {
          Provider_attributes: { Name: PROVIDER },
          TimeCreated_attributes: { SystemTime: TIME },
          ...OWN,
        },
        EventData: DATA,
      },
    },
  ],
  [
    'Chainsaw',
    {
      name: 'a rule',
      document: {
        kind: 'evtx',
        data: { Event: { System: { Provider: { Name: PROVIDER }, ...OWN }, EventData: DATA } },
      },
    },
  ],
  [
    'GELF of NXLog',
    {
      version: '1.1',
      host: 'PC1',
      level: 6,
      short_message: 'Process Create:',
      ...renamed(
        { EventID: 1, Channel: CHANNEL, SourceName: PROVIDER, ...DATA },
        (name) => `_${name}`,
      ),
    },
  ],
  [
    'structured data of NXLog',
    {
      text: 'Process Create:',
      known: { host: 'PC1' },
      extra: renamed(
        { ...OWN, SourceName: PROVIDER, ...DATA },
        (name) => `NXLOG@14506.${name}`,
      ) as Record<string, string>,
    },
  ],
  ['WindowsEvent of Sentinel', { ...OWN, Provider: PROVIDER, EventData: DATA }],
  [
    'WindowsEvent, the data as text',
    { ...OWN, Provider: PROVIDER, EventData: JSON.stringify(DATA) },
  ],
  [
    'SecurityEvent of Sentinel',
    { ...OWN, EventSourceName: PROVIDER, ...DATA, Type: 'SecurityEvent' },
  ],
  [
    'Event of Azure Monitor',
    {
      EventLog: CHANNEL,
      Source: PROVIDER,
      EventID: 1,
      Computer: 'PC1',
      EventData: `<DataItem type="System.XmlData"><EventData>${XML_DATA}</EventData></DataItem>`,
    },
  ],
  [
    'winlogbeat without a number of its own',
    {
      event: { code: '1' },
      winlog: {
        channel: CHANNEL,
        provider_name: PROVIDER,
        computer_name: 'PC1',
        event_data: DATA,
      },
    },
  ],
  [
    'winlogbeat by Graylog',
    {
      winlogbeat_winlog_event_id: 1,
      winlogbeat_winlog_channel: CHANNEL,
      winlogbeat_winlog_computer_name: 'PC1',
      winlogbeat_winlog_provider_name: PROVIDER,
      ...renamed(DATA, (name) => `winlogbeat_winlog_event_data_${name}`),
    },
  ],
  [
    'winlogbeat, the names of ECS alone',
    {
      '@timestamp': TIME,
      event: { code: '1', provider: PROVIDER },
      host: { name: 'PC1' },
      process: { executable: DATA.Image, command_line: DATA.CommandLine },
      user: { domain: 'CORP', name: 'ann' },
    },
  ],
  [
    'Fluent Bit',
    { ...OWN, ProviderName: PROVIDER, Message: MESSAGE, StringInserts: Object.values(DATA) },
  ],
  [
    'Fluentd',
    { ...OWN, ProviderName: PROVIDER, Description: MESSAGE, EventData: Object.values(DATA) },
  ],
  [
    'Get-WinEvent',
    { Id: 1, ProviderName: PROVIDER, LogName: CHANNEL, MachineName: 'PC1', Message: MESSAGE },
  ],
  [
    'OpenTelemetry',
    {
      body: {
        event_id: { id: 1, qualifiers: 0 },
        channel: CHANNEL,
        computer: 'PC1',
        provider: { name: PROVIDER },
        system_time: TIME,
        event_data: DATA,
      },
    },
  ],
  ['Velociraptor', { ...OWN, Provider: PROVIDER, EventTime: TIME, EventData: DATA }],
]

const isIncoming = (event: object): event is Incoming =>
  'known' in event || 'extra' in event || 'object' in event
const arrival = { receivedAt: Date.UTC(2026, 0, 1), way: 'api', newId: () => 'id' }
const read = (event: Incoming | object) =>
  normalise(isIncoming(event) ? event : { object: event as Record<string, unknown> }, arrival)

for (const [shape, event] of SHAPES) {
  test(`one event, as ${shape}: the same columns and names`, () => {
    const { fields, ...log } = read(event)
    const { UtcTime, ...data } = DATA
    const { EventID, Channel, Computer } = fields
    assert.deepEqual(
      {
        EventID: String(EventID),
        Channel: [Channel].flat()[0],
        Computer: String(Computer ?? log.host),
      },
      { EventID: '1', Channel: CHANNEL, Computer: 'PC1' },
    )
    assert.partialDeepStrictEqual(fields, { ...data, Provider_Name: PROVIDER })
    assert.partialDeepStrictEqual(
      { ...log, user: log.user?.replace('CORP\\', '') },
      { host: 'PC1', user: 'ann', process: 'cmd.exe', event_code: '1' },
    )
    assert.equal(new Date(log.at).toISOString(), TIME)
  })
}

test('an alert of Wazuh stays one, with the names of its event', () => {
  const { source, severity, fields } = read({
    rule: { level: 12, id: '92000', description: 'a shell' },
    agent: { name: 'PC1' },
    manager: { name: 'wazuh1' },
    decoder: { name: 'windows_eventchannel' },
    data: { win: WAZUH },
  })
  assert.deepEqual([source, severity, fields[PARSER]], ['wazuh', 'high', 'endpoint.wazuh'])
  assert.partialDeepStrictEqual(fields, { ...DATA, EventID: '1', Channel: CHANNEL })
})

const OTHERS: object[] = [
  { EventCode: 5, Channel: 'web', message: 'order paid' },
  { EventCode: 5, Channel: 'System' },
  { EventCode: 'E17', LogName: 'Security', Computer: 'plc1' },
  { EventCode: 1, sourcetype: 'hikvision:events', Channel: '3' },
  { EventID: 7, Provider: 'stripe' },
  { event: { code: '4624', provider: 'kms.amazonaws.com' } },
  { event_id: { id: 'Ev1' }, channel: '#general' },
  { Id: 5, LogName: 'audit', ProviderName: 'shop' },
  { _EventID: 9, note: 'of somebody' },
  { EventLog: 'door', EventID: 3 },
]
for (const event of OTHERS) {
  test(`not of Windows: ${JSON.stringify(event)}`, () => {
    assert.notEqual(read(event).fields[PARSER], 'windows.event')
  })
}

test('a logged script is read where it is longer than lines are', () => {
  const script = `iex ${'a'.repeat(20_000)}`
  const xml = `<Event xmlns='x'><System><EventID>4104</EventID><Channel>Microsoft-Windows-PowerShell/Operational</Channel><Computer>PC1</Computer></System><EventData><Data Name='ScriptBlockText'>${script}</Data></EventData></Event>`
  const lines = `LogName=Microsoft-Windows-PowerShell/Operational\nEventCode=4104\nComputerName=PC1\nMessage=Creating Scriptblock text (1 of 1):\r\n${script}\r\n\r\nScriptBlock ID: 7e\r\nPath: `
  for (const text of [xml, lines]) {
    const parsed = RECOGNISER.readText(text, { receivedAt: arrival.receivedAt })?.parsed
    assert.equal(parsed?.fields.ScriptBlockText, script)
  }
  assert.equal(RECOGNISER.readText(`a=1 b=2 ${xml}`, { receivedAt: 0 })?.parsed, undefined)
})
