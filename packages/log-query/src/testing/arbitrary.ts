import fc from 'fast-check'
import type { Match, Pattern, PatternPart, Query, Range, Regex } from '../ast.ts'
import type { FieldValue, LogRecord, Scalar } from '../event.ts'

/**
 * Events and queries that meet often: both draw from few words and names, among them what engines
 * tend to treat differently.
 */
const WORDS = [
  '',
  'a',
  'root',
  'Root',
  'powershell.exe',
  'C:\\Windows\\cmd.exe',
  'failed password for',
  'it\'s "quoted"',
  '100%',
  'under_score',
  'line\nbreak\r\n\ttab',
  '  ',
  '10.1.2.3',
  '::FFFF:10.1.2.3',
  'fe80::1',
  '2001:db8::00ff',
  '4624',
  '4624.0',
  '-7',
  '1e3',
  '007',
  'null',
  'true',
  'ÉCOLE école',
  'ΣΑΣ σας ΣΆΣ',
  'İstanbul ıI',
  'Straße STRASSE ẞ',
  'Kelvin K ſ',
  'ДОМ дом',
  'Ᲊ Ɤ',
  'مرحبا',
  '漢字',
  '😀🏴‍☠️',
  '𐐀𐐨',
  '*',
  '?',
  '\\',
  '%_',
  '[a-z]',
  '{}',
  '$1',
  "'; DROP TABLE logs; --",
  'AND',
  'not',
  '/var/log/x',
  '\ufeffbom',
  'e\u0301',
]

const FIELD_NAMES = [
  'EventID',
  'process.name',
  'a.b.c',
  'a b',
  "o'clock",
  'quo"te',
  'back\\slash',
  'host',
  'fields',
  'ملف',
  '$.x',
  'constructor',
  '__proto',
]

/** Every name a query may ask for, known or not. */
const QUERY_NAMES = [
  ...FIELD_NAMES,
  'source',
  'severity',
  'message',
  'user',
  'process',
  'event_code',
  'src_ip',
  'dst_ip',
  'id',
  'fields.host',
  'fields.a.b.c',
  'absent',
]

const BASE = Date.UTC(2026, 2, 1)

function record<T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(shape, { noNullPrototype: true })
}

const word = fc.constantFrom(...WORDS)
const smallText = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 2, arbitrary: fc.tuple(word, word).map(([a, b]) => a + b) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }).map(withoutNul) },
)

function withoutNul(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  { weight: 5, arbitrary: smallText },
  { weight: 2, arbitrary: fc.constantFrom(0, -0, 7, -7, 4624, 0.5, 1e21, 1e-7, 123456789012345) },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constant(null) },
)

const fieldValue: fc.Arbitrary<FieldValue> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
)

const textOrNull = fc.option(smallText)

/** An event; ids are unique enough for a batch of them. */
export const anyLog: fc.Arbitrary<LogRecord> = record({
  id: fc.uuid(),
  at: fc.integer({ min: BASE, max: BASE + 86_400_000 }),
  source: fc.oneof(fc.constantFrom('sshd', 'Windows'), smallText),
  host: textOrNull,
  severity: fc.constantFrom('info', 'low', 'medium', 'high', 'critical'),
  message: smallText,
  user: textOrNull,
  process: textOrNull,
  event_code: textOrNull,
  src_ip: textOrNull,
  dst_ip: textOrNull,
  fields: fc.dictionary(fc.constantFrom(...FIELD_NAMES), fieldValue, {
    maxKeys: 5,
    noNullPrototype: true,
  }),
})

const part: fc.Arbitrary<PatternPart> = fc.oneof(
  { weight: 3, arbitrary: smallText },
  { weight: 1, arbitrary: fc.constant<PatternPart>({ any: 'run' }) },
  { weight: 1, arbitrary: fc.constant<PatternPart>({ any: 'one' }) },
  { weight: 2, arbitrary: fc.constantFrom('o', 'S', 'i', 'k', 'É', 'σ', '.', ' ') },
)

const cased = fc.constantFrom<{ isCaseSensitive?: true }>({}, {}, {}, { isCaseSensitive: true })

const pattern: fc.Arbitrary<Pattern> = fc
  .tuple(
    fc.oneof(
      smallText.map((text): PatternPart[] => [text]),
      smallText.map((text): PatternPart[] => [{ any: 'run' }, text, { any: 'run' }]),
      smallText.map((text): PatternPart[] => [text, { any: 'run' }]),
      fc.array(part, { maxLength: 5 }),
    ),
    cased,
  )
  .map(([parts, casing]) => ({ kind: 'pattern', parts, ...casing }))

const regex: fc.Arbitrary<Regex> = record({
  kind: fc.constant('regex' as const),
  source: fc.constantFrom(
    'root',
    '^.oo',
    'o+t$',
    '[a-c]*e',
    '(?:root|école)',
    '^$',
    'k|s',
    '\\d{3,}',
    '\\bfailed\\b',
    '\\\\windows\\\\',
    '/var/',
    '\\/var\\/',
    'σ',
    'break.',
    '^tab|break$',
    "it's",
    '[^\\x20-\\x7e]',
    '^.$',
    'a{2}',
    '\\x{1F600}',
  ),
  flags: fc.record(
    { i: fc.constant(true as const), m: fc.constant(true as const), s: fc.constant(true as const) },
    { requiredKeys: [], noNullPrototype: true },
  ),
})

const bound = fc.oneof(fc.constantFrom(-7, 0, 0.5, 7, 1000, 4624, 1e21), smallText)

const range: fc.Arbitrary<Range> = fc
  .tuple(fc.option(bound), fc.option(bound), fc.boolean(), fc.boolean())
  .filter(([low, high]) => low !== null || high !== null)
  .map(([low, high, isFrom, isTo]) => ({
    kind: 'range',
    ...(low !== null && (isFrom ? { gte: low } : { gt: low })),
    ...(high !== null && (isTo ? { lte: high } : { lt: high })),
  }))

const network = fc.constantFrom(
  '10.0.0.0/8',
  '10.1.2.0/23',
  '10.1.2.3/32',
  '0.0.0.0/0',
  'fe80::/10',
  '2001:db8::/32',
  '2001:DB8::f0/124',
  '::/0',
  '::1/128',
)

const match: fc.Arbitrary<Match> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Match>({ kind: 'exists' }) },
  { weight: 6, arbitrary: pattern },
  { weight: 2, arbitrary: regex },
  { weight: 2, arbitrary: range },
  { weight: 1, arbitrary: network.map((cidr): Match => ({ kind: 'cidr', network: cidr })) },
  {
    weight: 1,
    arbitrary: record({
      kind: fc.constant('same-as' as const),
      field: fc.constantFrom(...QUERY_NAMES),
      how: fc.constantFrom('equals', 'startswith', 'endswith', 'contains'),
    }),
  },
)

const moments: fc.Arbitrary<Query> = fc
  .tuple(fc.integer({ min: 0, max: 86_400_000 }), fc.constantFrom('gt', 'gte', 'lt', 'lte'))
  .map(([offset, key]) => ({
    kind: 'field',
    field: 'timestamp',
    match: { kind: 'range', [key]: BASE + offset },
  }))

const leaf: fc.Arbitrary<Query> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Query>({ kind: 'all' }) },
  { weight: 1, arbitrary: moments },
  {
    weight: 3,
    arbitrary: record({ kind: fc.constant('text' as const), match: fc.oneof(pattern, regex) }),
  },
  {
    weight: 8,
    arbitrary: record({
      kind: fc.constant('field' as const),
      field: fc.constantFrom(...QUERY_NAMES),
      match,
    }),
  },
)

/** A query as rules and people write them, and stranger ones. */
export const anyQuery: fc.Arbitrary<Query> = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    leaf,
    record({ kind: fc.constant('not' as const), query: tie('query') }),
    record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      queries: fc.array(tie('query'), { maxLength: 4 }),
    }),
  ),
})).query
