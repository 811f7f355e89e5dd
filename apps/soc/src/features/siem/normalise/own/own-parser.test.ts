import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParserDefinition } from '@manara/soc-contract/parsers'
import type { NormalisedLog } from '../normalise.ts'
import { applyFound } from './apply-found.ts'
import { checkSamples } from './check-samples.ts'
import { compileParser } from './own-parser.ts'
import { createOwnParsers } from './own-parsers.ts'

const RECEIVED = Date.UTC(2026, 5, 1)

const logOf = (message: string, fields: NormalisedLog['fields'] = {}): NormalisedLog => ({
  ...{ id: '1', at: RECEIVED, received_at: RECEIVED, source: 'door', message, fields },
  ...{ host: null, severity: 'info', user: null, process: null, event_code: null },
  ...{ src_ip: null, dst_ip: null, original: null },
})

const grok = (pattern: string, definitions = {}) => ({ kind: 'grok', pattern, definitions })
const dissect = (pattern: string) => ({ kind: 'dissect', pattern })
const json = (paths: object, from?: string) => ({ kind: 'json', paths, ...(from ? { from } : {}) })
const keyValue = (settings = {}) => ({ kind: 'key_value', ...settings })

const read = (definition: unknown, message: string, fields = {}) =>
  compileParser(ParserDefinition.parse(definition))(logOf(message, fields))

const READ: [definition: unknown, message: string, found: object | undefined][] = [
  [
    grok('%{IP:src_ip} %{WORD:action} in %{NUMBER:ms:float}ms'),
    'from 203.0.113.7 opened in 1.5ms',
    { src_ip: '203.0.113.7', action: 'opened', ms: 1.5 },
  ],
  [
    grok('^%{IPORHOST:host}:%{POSINT:port:int}$'),
    '2001:db8::7:443',
    { host: '2001:db8::7', port: 443 },
  ],
  [grok('card %{CARD:card}', { CARD: 'C-[0-9]{4}' }), 'card C-0042', { card: 'C-0042' }],
  [grok('(?<door>north|south) %{GREEDYDATA:rest}'), 'south a b', { door: 'south', rest: 'a b' }],
  [grok('%{WORD:[source][name]}'), 'one', { 'source.name': 'one' }],
  [
    grok('%{TIMESTAMP_ISO8601:timestamp} %{LOGLEVEL:severity}'),
    '2026-05-01T10:00:00Z ERROR x',
    { timestamp: '2026-05-01T10:00:00Z', severity: 'ERROR' },
  ],
  [
    grok('%{SYSLOGTIMESTAMP:ts} %{SYSLOGHOST:host} %{SYSLOGPROG}:'),
    'Mar  3 10:00:00 gate doord[42]: open',
    { ts: 'Mar  3 10:00:00', host: 'gate', process: 'doord', 'process.pid': 42 },
  ],
  [
    dissect('%{src_ip} - %{user} [%{ts} %{+ts}] "%{?verb} %{path}" %{rest}'),
    '192.0.2.1 - leila [today 10:00] "GET /a" 200 5',
    { src_ip: '192.0.2.1', user: 'leila', ts: 'today 10:00', path: '/a', rest: '200 5' },
  ],
  [dissect('%{a->} %{b}'), 'x     y', { a: 'x', b: 'y' }],
  [dissect('<%{a}>%{b}'), 'x>y', undefined],
  [
    json({ src_ip: '$.client.ips[1]', who: "$['the user']", list: 'tags' }),
    '{"client":{"ips":["a","192.0.2.1"]},"the user":"leila","tags":["x","y"]}',
    { src_ip: '192.0.2.1', who: 'leila', list: ['x', 'y'] },
  ],
  [json({ a: '$.b' }), 'no json', undefined],
  [
    keyValue({ pair_separator: '; ', value_separator: ': ', rename: { 'Source IP': 'src_ip' } }),
    'Source IP: 192.0.2.1; who: "a; b"; note: x',
    { src_ip: '192.0.2.1', who: 'a; b', note: 'x' },
  ],
  [keyValue(), 'door opened by=leila at=north', { by: 'leila', at: 'north' }],
  [keyValue(), 'nothing here', undefined],
]

for (const [definition, message, found] of READ) {
  const { kind, pattern = '' } = definition as { kind: string; pattern?: string }
  test(`${kind} ${pattern} reads ${message}`, () => {
    assert.deepEqual(read(definition, message), found)
  })
}

test('JSON in a field, and the event itself where its message is none', () => {
  assert.deepEqual(read(json({ a: '$.x.y' }, 'payload'), 'm', { payload: '{"x":{"y":1}}' }), {
    a: 1,
  })
  assert.deepEqual(read(json({ a: '$.x.y' }), 'm', { 'x.y': 2 }), { a: 2 })
})

const REFUSED: [definition: unknown, why: RegExp][] = [
  [grok('%{NOBODY:a}'), /^pattern: %\{NOBODY\} is not known/],
  [grok('just text'), /^pattern: takes nothing out/],
  [grok('(?<a>x(?=y))'), /^pattern: /],
  [grok('%{A:a}', { A: '%{B}', B: '%{A}' }), /ring|too long/],
  [grok('%{WORD:a b}'), /no name of a field/],
  [grok('%{DATA:a}((((x{1000}){1000}){1000}){1000})'), /^pattern: /],
  [dissect('no fields'), /^pattern: takes nothing out/],
  [dissect('%{a}%{b}'), /^pattern: between two fields/],
  [json({ a: '$.b[' }), /^paths: /],
  [keyValue({ pair_separator: '=', value_separator: '=' }), /^value_separator: /],
]

for (const [definition, why] of REFUSED) {
  test(`${JSON.stringify(definition)} is refused`, () => {
    assert.throws(() => compileParser(ParserDefinition.parse(definition)), { message: why })
  })
}

test('what is found goes to columns where it fits them, and the message stays', () => {
  const log = logOf('text', { action: 'old' })
  const found = {
    ...{ src_ip: '192.0.2.7', user: 'leila', severity: 'ERROR', timestamp: '2026-05-01T10:00:00Z' },
    ...{ dst_ip: 'no address', action: 'open' },
  }
  const after = applyFound(log, found, 'own:1')
  assert.partialDeepStrictEqual(after, {
    ...{ message: 'text', src_ip: '192.0.2.7', user: 'leila', dst_ip: null },
    at: Date.parse('2026-05-01T10:00:00Z'),
    fields: { dst_ip: 'no address', action: 'open', _parser: 'own:1' },
  })
  assert.deepEqual(JSON.parse(after.original ?? ''), { action: 'old' })
})

test('a parser is asked only for its source, and one that fails or is slow keeps nobody up', () => {
  const own = createOwnParsers()
  const definition = ParserDefinition.parse(grok('door %{WORD:door}'))
  own.set([
    { id: 'bad', source: 'door', definition: { ...definition, pattern: '%{NOBODY:x}' } as never },
    { id: 'good', source: 'door', definition },
  ])
  assert.equal(own.apply(logOf('door north')).fields.door, 'north')
  assert.equal(own.apply({ ...logOf('door north'), source: 'else' }).fields.door, undefined)
  let worked = 0
  const workedMs = () => {
    worked += 60
    return worked
  }
  let time = 0
  const slow = createOwnParsers({ workedMs, now: () => time })
  slow.set([{ id: 'slow', source: 'door', definition }])
  assert.equal(slow.apply(logOf('door north')).fields.door, 'north')
  assert.equal(slow.apply(logOf('door north')).fields.door, undefined, 'it rests')
  time += 60_000
  assert.equal(slow.apply(logOf('door north')).fields.door, 'north', 'and comes back')

  const again = createOwnParsers({ workedMs, mayRest: false })
  again.set([{ id: 'slow', source: 'door', definition }])
  for (const _ of [1, 2]) assert.equal(again.apply(logOf('door north')).fields.door, 'north')
})

test('a parser does not rest because the machine was busy with others', () => {
  let time = 0
  const now = () => {
    time += 1_000
    return time
  }
  const own = createOwnParsers({ now })
  own.set([
    { id: 'door', source: 'door', definition: ParserDefinition.parse(grok('door %{WORD:door}')) },
  ])
  for (const _ of [1, 2, 3]) assert.equal(own.apply(logOf('door north')).fields.door, 'north')
})

test('samples say which of them is not read as expected, and why', () => {
  const definition = ParserDefinition.parse(grok('door %{WORD:door} %{IP:src_ip}'))
  const results = checkSamples(
    definition,
    [
      { text: 'door north 192.0.2.1', expect: { door: 'north', src_ip: '192.0.2.1' } },
      { text: 'door north 192.0.2.1', expect: { door: 'south' } },
      { text: 'window', expect: { door: 'x' } },
      { text: 'window', expect: {} },
      { text: 'door north 192.0.2.1', expect: {} },
    ],
    RECEIVED,
  )
  assert.deepEqual(
    results.map(({ problem }) => problem),
    [
      null,
      'door: expected "south", found "north"',
      'is not read at all',
      null,
      'must not be read, and is',
    ],
  )
})

test('a line that keeps an engine busy for years that goes back is read to its end', () => {
  const [nested, alternatives, ...others] = [
    grok('(?P<a>(?:(?:x+)+)+)(?:end|$)'),
    grok('^(?P<b>(?:x|xx|x x)*)$'),
    dissect('%{a} %{b->} %{c}!'),
    keyValue({ pair_separator: ' ', value_separator: '=' }),
  ].map((one) => compileParser(ParserDefinition.parse(one)))
  const line = 'x'.repeat(16_000)
  assert.equal(nested?.(logOf(`${line}!`)), undefined)
  assert.equal(nested?.(logOf(line))?.a, line)
  assert.equal(alternatives?.(logOf(`${line}!`)), undefined)
  assert.equal(alternatives?.(logOf(line))?.b, line)
  for (const hostile of ['a '.repeat(8_000), '='.repeat(16_000), ' '.repeat(16_000)]) {
    for (const readOne of others) readOne(logOf(hostile))
  }
})
