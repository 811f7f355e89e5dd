import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import type { Pattern, PatternPart, Query, Regex } from '../ast.ts'
import type { LogRecord } from '../event.ts'
import { parseQuery } from '../parse.ts'
import { anyLog, anyQuery } from '../testing/arbitrary.ts'
import { plainlyMatches } from '../testing/plain-match.ts'
import { matchMany, type NamedQuery } from './match-many.ts'

const named = (queries: Query[]): NamedQuery[] =>
  queries.map((query, index) => ({ id: `rule-${index}`, query }))

const oneByOne = (queries: NamedQuery[], log: LogRecord): string[] =>
  queries.filter(({ query }) => plainlyMatches(query, log)).map(({ id }) => id)

/** Twice: the first event of a kind meets the index of all rules, the second that of its source. */
const TUNING = { eventsBeforePlan: 2 }
const ROUNDS = 2

const assertSame = (queries: NamedQuery[], logs: LogRecord[]) => {
  const many = matchMany(queries, TUNING)
  for (const log of logs) {
    const expected = oneByOne(queries, log).toSorted()
    for (let round = 0; round < ROUNDS; round += 1)
      assert.deepEqual(many.match(log).toSorted(), expected)
  }
}

describe('many queries find what each of them means', () => {
  test('over generated queries and events', () => {
    const queries = fc.array(anyQuery, { minLength: 1, maxLength: 12 })
    const logs = fc.array(anyLog, { minLength: 3, maxLength: 6 })
    fc.assert(
      fc.property(queries, logs, (some, events) => assertSame(named(some), events)),
      { numRuns: 600 },
    )
  })

  test('over rules as detections write them', () => {
    const logs = fc.array(windowsLog, { minLength: 5, maxLength: 8 })
    const rules = fc.array(detection, { minLength: 5, maxLength: 30 })
    fc.assert(
      fc.property(rules, logs, (some, events) => assertSame(named(some), events)),
      { numRuns: 300 },
    )
  })

  test('after queries came, changed and went', () => {
    const change = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.option(detection))
    const changes = fc.array(change, { maxLength: 20 })
    const rulesAtFirst = fc.array(detection, { maxLength: 10 })
    fc.assert(
      fc.property(rulesAtFirst, changes, fc.array(windowsLog), (first, changes, logs) => {
        const many = matchMany(named(first), TUNING)
        const now = new Map(named(first).map(({ id, query }) => [id, query]))
        for (const [slot, query] of changes) {
          // What was learnt of the rules as they were must not outlive the change.
          for (const log of logs) many.match(log)
          const id = `rule-${slot}`
          if (query) {
            many.set({ id, query })
            now.set(id, query)
          } else {
            many.delete(id)
            now.delete(id)
          }
        }
        assert.equal(many.size, now.size)
        const kept = [...now].map(([id, query]) => ({ id, query }))
        for (const log of [...logs, ...logs])
          assert.deepEqual(many.match(log).toSorted(), oneByOne(kept, log).toSorted())
      }),
      { numRuns: 200 },
    )
  })
})

describe('a query is tried', () => {
  const cases: [query: string, fields: LogRecord['fields']][] = [
    ['CommandLine:*mimikatz*', { CommandLine: 'C:\\MIMIKATZ.exe' }],
    ['CommandLine:*ab', { CommandLine: 'xAB' }],
    ['EventID:4624', { EventID: 4624 }],
    ['EventID:4624', { EventID: [1, 4624] }],
    ['NOT EventID:4624', {}],
    ['NOT Channel:* AND evil', { note: 'an EVIL thing' }],
    ['"aaaa"', { text: 'aaaaaaaa' }],
    ['Path:/\\\\temp\\\\[a-z]+\\.exe$/', { Path: 'C:\\Temp\\x.exe' }],
    ['Size:>10', { Size: 11 }],
    ['fields.host:web-*', { host: 'WEB-1' }],
    ['User:equals(Owner)', { User: 'Ann', Owner: 'ANN' }],
    ['Address:10.0.0.0/8', { Address: '10.1.2.3' }],
  ]
  for (const [text, fields] of cases) {
    test(`${text} on ${JSON.stringify(fields)}`, () => {
      const query = read(text)
      assert.deepEqual(matchMany([{ id: 'it', query }]).match(logOf(fields)), ['it'])
    })
  }
})

test('a column is not the original field whose name begins with a colon', () => {
  const isRoot = (field: string): Query => ({
    kind: 'field',
    field,
    match: { kind: 'pattern', parts: ['root'] },
  })
  const many = matchMany(named([isRoot('user'), isRoot('fields.:user')]))
  assert.deepEqual(many.match({ ...logOf({ ':user': 'ann' }), user: 'root' }), ['rule-0'])
})

test('one id given twice means the last query', () => {
  const many = matchMany([
    { id: 'it', query: read('EventID:1') },
    { id: 'it', query: read('EventID:2') },
  ])
  assert.deepEqual(many.match(logOf({ EventID: 1 })), [])
  assert.deepEqual(many.match(logOf({ EventID: 2 })), ['it'])
})

test('a regex is compiled when the first event comes to it', () => {
  const broken: Query = { kind: 'field', field: 'Path', match: regexOf('(') }
  const many = matchMany([{ id: 'it', query: broken }])
  assert.deepEqual(many.match(logOf({ CommandLine: 'x' })), [])
  assert.throws(() => many.match(logOf({ Path: 'x' })))
})

test('queries are let go of once they are compiled', async () => {
  const collect = garbageCollector()
  const queries = ['CommandLine:(*a* OR *b*) AND NOT Image:*c', 'Path:/x+/'].map(read)
  const gone = queries.map((query) => new WeakRef(query))
  const many = matchMany(queries.splice(0).map((query, at) => ({ id: `${at}`, query })))
  await nextTurn()
  collect()
  assert.deepEqual(
    gone.map((query) => query.deref()),
    [undefined, undefined],
  )
  assert.deepEqual(many.match(logOf({ Path: 'xx' })), ['1'])
})

const regexOf = (source: string): Regex => ({ kind: 'regex', source, flags: {} })

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

function read(text: string): Query {
  const parsed = parseQuery(text, 0)
  assert.ok(parsed.ok)
  return parsed.query
}

function logOf(fields: LogRecord['fields']): LogRecord {
  return {
    id: '1',
    at: 0,
    source: 'test',
    host: null,
    severity: 'info',
    message: '',
    user: null,
    process: null,
    event_code: null,
    src_ip: null,
    dst_ip: null,
    fields,
  }
}

const CHANNELS = ['Security', 'security', 'System', 'Sysmon/Operational']
const WORDS = [
  'powershell.exe',
  'cmd.exe',
  ' -enc ',
  '\\temp\\',
  'http://',
  'whoami',
  '-e',
  'ё',
  '😀',
]
const FIELDS = ['Image', 'CommandLine', 'ParentImage']

const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((some) => some.join(''))
const channel = fc.constantFrom(...CHANNELS)
const windowsLog: fc.Arbitrary<LogRecord> = fc
  .record(
    {
      Channel: fc.oneof(channel, channel, fc.array(channel, { maxLength: 2 })),
      EventID: fc.constantFrom(1, 3, 4688, '4688'),
      Image: words,
      CommandLine: fc.oneof(words, fc.array(words, { maxLength: 2 })),
      ParentImage: fc.option(words),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .map(logOf)

const run: PatternPart = { any: 'run' }
const placed = fc
  .tuple(fc.constantFrom(...WORDS), fc.constantFrom('in', 'start', 'end', 'whole'), fc.boolean())
  .map(([word, place, isCased]): Pattern => {
    const before = place === 'in' || place === 'end' ? [run] : []
    const after = place === 'in' || place === 'start' ? [run] : []
    const parts = [...before, word, ...after]
    return { kind: 'pattern', parts, ...(isCased && { isCaseSensitive: true as const }) }
  })
const item: fc.Arbitrary<Query> = fc
  .tuple(fc.constantFrom(...FIELDS), fc.array(placed, { minLength: 1, maxLength: 4 }))
  .map(([field, matches]) => ({
    kind: 'or',
    queries: matches.map((match) => ({ kind: 'field', field, match })),
  }))
const keyword: fc.Arbitrary<Query> = fc
  .constantFrom(...WORDS)
  .map((word) => ({ kind: 'text', match: { kind: 'pattern', parts: [word] } }))
const source: fc.Arbitrary<Query> = fc.constantFrom(
  read('Channel:Security AND EventID:4688'),
  read('(Channel:Sysmon/Operational AND EventID:1) OR (Channel:Security AND EventID:4688)'),
  read('NOT (Channel:* AND EventID:*)'),
  read('NOT Channel:*'),
  read('Channel:*'),
  read('NOT (Channel:Security OR EventID:3)'),
  read('NOT (Channel:Security AND NOT EventID:(1 OR 3))'),
  read('fields.Channel:System OR EventID:1'),
)
const detection: fc.Arbitrary<Query> = fc
  .tuple(
    source,
    fc.array(fc.oneof(item, item, keyword), { minLength: 1, maxLength: 3 }),
    fc.option(item),
  )
  .map(([from, items, filter]) => ({
    kind: 'and',
    queries: [from, ...items, ...(filter ? [{ kind: 'not' as const, query: filter }] : [])],
  }))
