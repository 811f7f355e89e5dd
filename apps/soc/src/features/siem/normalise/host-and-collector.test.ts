import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Incoming, normalise } from './normalise.ts'
import { reread } from './reread.ts'

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

const WRITTEN: [
  what: string,
  incoming: Incoming,
  collector: string | undefined,
  written?: string,
][] = [
  [
    'a name of its own',
    { object: { host: 'web1', message: '{"collector":"file-01"}' }, isEnvelope: true },
    undefined,
    'file-01',
  ],
  ['in a text', { text: '{"collector":"file-01","a":1}' }, undefined, 'file-01'],
  [
    'beside what the sender says',
    { object: { collector: 'wec', message: '{"collector":"file-01"}' } },
    'wec',
    'file-01',
  ],
  [
    'pairs in a line',
    { text: 'level=info collector=file-01 msg="hello there" user=ann' },
    undefined,
    'file-01',
  ],
  [
    'a plain host beside a machine',
    { object: { message: '{"Computer":"WS5","host":"file-01"}' } },
    undefined,
    'file-01',
  ],
  [
    'a plain host, from somebody with a name',
    { object: { host: 'web1', message: '{"Computer":"WS5","host":"file-01"}' } },
    'web1',
    'file-01',
  ],
  [
    'the host of an agent',
    { object: { message: '{"Computer":"WS5","agent":{"hostname":"file-01"}}' } },
    undefined,
    'file-01',
  ],
]
for (const [what, incoming, collector, written] of WRITTEN) {
  test(`a line does not say who forwarded it: ${what}`, () => {
    const log = normalise(incoming, { receivedAt: 1, way: 'api', newId: () => 'made' })
    assert.equal(log.fields.collector, collector)
    assert.equal(log.fields['event.collector'], written)
    const again = reread(log, { apply: (same) => same })
    assert.equal(again.fields.collector, collector)
    assert.equal(again.fields['event.collector'], written)
  })
}

test('whose message is an object is forwarded by the agent that read it', () => {
  const agent = { agent: { hostname: 'wec' }, host: { name: 'wec' } }
  const incoming = { object: { ...agent, message: '{"Computer":"WS5","a":1}' } }
  assert.deepEqual(read(incoming), { host: 'WS5', collector: 'wec' })
})

test('a field of that name stays what the sender wrote', () => {
  const object = { host: 'wec', Computer: 'WS5', collector: 'mine' }
  assert.deepEqual(read({ object }), { host: 'WS5', collector: 'mine' })
})
