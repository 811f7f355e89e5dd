import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Incoming, normalise } from './normalise.ts'

const read = (incoming: Incoming) => {
  const arrival = { receivedAt: Date.UTC(2026, 0, 5), way: 'api', newId: () => 'made' }
  const { host, fields } = normalise(incoming, arrival)
  return { host, collector: fields.collector }
}
const HEADER = 'Jan  5 01:02:03 web1 sshd[9]: Accepted password for ann from 192.0.2.1 port 1 ssh2'

const FORWARDED: [what: string, incoming: Incoming, host: string, collector?: string][] = [
  [
    'Windows events of NXLog behind a collector',
    {
      object: { host: 'wec.example', Hostname: 'WS5', EventID: 1, Channel: 'Security' },
      isEnvelope: true,
    },
    'WS5',
    'wec.example',
  ],
  [
    'names in our own `fields`',
    { object: { host: 'wec', fields: { Computer: 'WS5', a: 1 } }, isEnvelope: true },
    'WS5',
    'wec',
  ],
  [
    'winlogbeat on a collector',
    {
      object: {
        winlog: { computer_name: 'WS5', event_id: 1, channel: 'Security' },
        agent: { hostname: 'wec' },
        host: { name: 'wec' },
      },
    },
    'WS5',
    'wec',
  ],
  ['ECS', { object: { host: { name: 'db1' }, agent: { hostname: 'relay' } } }, 'db1', 'relay'],
  ['metadata of HEC', { object: { Computer: 'WS5' }, known: { host: 'hf1' } }, 'WS5', 'hf1'],
  ['a line of a log file over HEC', { text: HEADER, known: { host: 'hf1' } }, 'web1', 'hf1'],
  ['a line of a log file of a relay', { text: HEADER, object: { host: 'r1' } }, 'web1', 'r1'],
  [
    'JSON in syslog of a relay',
    { text: '{"Hostname":"WS5","a":1}', known: { host: 'relay' } },
    'WS5',
    'relay',
  ],
  [
    'one machine, once with its domain',
    { object: { host: 'ws5', Computer: 'WS5.x.org' } },
    'WS5.x.org',
  ],
  ['a machine that sends itself', { object: { host: 'localhost', Computer: 'WS5' } }, 'WS5'],
  ['nothing but a host', { object: { host: 'web1', message: 'm' } }, 'web1'],
  [
    'a level is no machine',
    { text: '2026-01-05T01:02:03Z ERROR pool: full', known: { host: 'a1' } },
    'a1',
  ],
  ['nobody named', { text: 'hello', peer: '192.0.2.9' }, '192.0.2.9'],
]

for (const [what, incoming, host, collector] of FORWARDED) {
  test(`the machine it happened on is the host: ${what}`, () => {
    assert.deepEqual(read(incoming), { host, collector })
  })
}

test('a field of that name stays what the sender wrote', () => {
  const object = { host: 'wec', Computer: 'WS5', collector: 'mine' }
  assert.deepEqual(read({ object }), { host: 'WS5', collector: 'mine' })
})
