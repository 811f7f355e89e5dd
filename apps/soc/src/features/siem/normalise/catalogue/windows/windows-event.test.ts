import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flatten, type JsonMap } from '../../fields.ts'
import { parseWindows } from './windows-event.ts'

const receivedAt = Date.UTC(2026, 0, 1)
const parse = (object: JsonMap) => parseWindows(flatten(object).fields, { receivedAt, object })

const SYSMON = {
  event_code: '1',
  host: 'PC1',
  user: 'CORP\\ann',
  process: 'cmd.exe',
  severity: 'info',
  at: Date.UTC(2025, 0, 2, 3, 4, 5, 678),
}
const DATA = {
  UtcTime: '2025-01-02 03:04:05.678',
  Image: 'C:\\Windows\\System32\\cmd.exe',
  CommandLine: 'cmd /c whoami',
  User: 'CORP\\ann',
}
const LIFTED = {
  Channel: 'Microsoft-Windows-Sysmon/Operational',
  Provider_Name: 'Microsoft-Windows-Sysmon',
}

test('flat, as NXLog sends it', () => {
  const parsed = parse({
    EventID: 1,
    Channel: LIFTED.Channel,
    SourceName: LIFTED.Provider_Name,
    Hostname: 'PC1',
    Level: '4',
    Message: 'Process Create:\r\nUser: CORP\\ann',
    ...DATA,
  })
  assert.partialDeepStrictEqual(parsed, {
    ...SYSMON,
    message: 'Process Create:\r\nUser: CORP\\ann',
  })
  assert.deepEqual(parsed?.fields, { Provider_Name: LIFTED.Provider_Name, Computer: 'PC1' })
})

const NESTED: [shape: string, event: JsonMap][] = [
  [
    'XML as JSON with attributes in #attributes and data as a map',
    {
      Event: {
        System: {
          Provider: { '#attributes': { Name: LIFTED.Provider_Name } },
          EventID: 1,
          Level: 4,
          TimeCreated: { '#attributes': { SystemTime: '2025-01-02T03:04:05.6780000Z' } },
          Channel: LIFTED.Channel,
          Computer: 'PC1',
        },
        EventData: DATA,
      },
    },
  ],
  [
    'XML as JSON with @ names and data as a list',
    {
      Event: {
        System: {
          Provider: { '@Name': LIFTED.Provider_Name },
          EventID: { '@Qualifiers': '0', '#text': '1' },
          Level: '4',
          TimeCreated: { '@SystemTime': '2025-01-02T03:04:05.678Z' },
          Channel: LIFTED.Channel,
          Computer: 'PC1',
        },
        EventData: {
          Data: Object.entries(DATA).map(([name, value]) => ({ '@Name': name, '#text': value })),
        },
      },
    },
  ],
  [
    'without the outer Event',
    {
      System: {
        Provider: { Name: LIFTED.Provider_Name },
        EventID: 1,
        Level: 4,
        Channel: LIFTED.Channel,
        Computer: 'PC1',
      },
      EventData: DATA,
    },
  ],
  [
    'of winlogbeat',
    {
      '@timestamp': '2025-01-02T03:04:05.678Z',
      winlog: {
        event_id: 1,
        channel: LIFTED.Channel,
        provider_name: LIFTED.Provider_Name,
        computer_name: 'PC1',
        event_data: DATA,
      },
      event: { code: '1' },
    },
  ],
]

for (const [shape, event] of NESTED) {
  test(`nested, ${shape}: the names are those of Sigma`, () => {
    const parsed = parse(event)
    const { severity, ...same } = SYSMON
    assert.partialDeepStrictEqual(parsed, same)
    assert.partialDeepStrictEqual(parsed?.fields, { ...LIFTED, ...DATA, Computer: 'PC1' })
    assert.equal(String(parsed?.fields.EventID), '1')
  })
}

test('unnamed data stays a list', () => {
  const Event = { System: { EventID: 7036 }, EventData: { Data: ['Spooler', 'stopped'] } }
  assert.deepEqual(parse({ Event })?.fields.Data, ['Spooler', 'stopped'])
})

const USERS: [code: number, user: string][] = [
  [4624, 'target'],
  [4625, 'target'],
  [4688, 'subject'],
]
for (const [EventID, user] of USERS) {
  test(`the user of ${EventID} is the ${user}`, () => {
    const names = {
      SubjectUserName: 'subject',
      TargetUserName: 'target',
      IpAddress: '::ffff:10.0.0.9',
    }
    const parsed = parse({ EventID, Channel: 'Security', ...names })
    assert.equal(parsed?.user, user)
    assert.equal(parsed?.src_ip, '10.0.0.9')
  })
}

test('an EventID alone is not Windows', () => assert.equal(parse({ EventID: 5 }), undefined))
