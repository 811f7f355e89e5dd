import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import type { Pattern, PatternPart, Query, Regex } from '../ast.ts'
import type { LogRecord } from '../event.ts'
import { parseQuery } from '../parse.ts'
import { compilePredicate } from '../predicate.ts'
import { anyLog, anyQuery } from '../testing/arbitrary.ts'
import { matchMany, type NamedQuery } from './match-many.ts'

const named = (queries: Query[]): NamedQuery[] =>
  queries.map((query, index) => ({ id: `rule-${index}`, query }))

const oneByOne = (queries: NamedQuery[], log: LogRecord): string[] =>
  queries.filter(({ query }) => compilePredicate(query)(log)).map(({ id }) => id)

const assertSame = (queries: NamedQuery[], logs: LogRecord[]) => {
  const many = matchMany(queries)
  for (const log of logs)
    assert.deepEqual(many.match(log).toSorted(), oneByOne(queries, log).toSorted())
}

describe('many queries find what each of them finds alone', () => {
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
    const change = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.option(detection))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), fc.array(windowsLog), (changes, logs) => {
        const many = matchMany([])
        const now = new Map<string, Query>()
        for (const [slot, query] of changes) {
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
        for (const log of logs)
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
const windowsLog: fc.Arbitrary<LogRecord> = fc
  .record(
    {
      Channel: fc.constantFrom(...CHANNELS),
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
