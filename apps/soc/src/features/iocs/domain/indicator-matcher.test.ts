import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createIndicatorMatcher } from './indicator-matcher.ts'
import { type Indicator, normaliseIoc } from './normalise.ts'

const SHA256 = 'ab'.repeat(32)
const KNOWN = [
  'any.test/gate.php',
  '203.0.113.7',
  '2001:db8::bad',
  '198.51.100.0/24',
  '2001:db8:1::/48',
  'evil.example',
  'deep.c2.test',
  'xn--bcher-kva.example',
  'http://evil.test/path?q=1',
  SHA256,
  'cd'.repeat(16),
  `imphash:${'cd'.repeat(16)}`,
  'ef'.repeat(20),
  'phish@mail.test',
  'CVE-2021-44228',
]

function matcherOf(values: string[]) {
  const matcher = createIndicatorMatcher()
  for (const value of values) matcher.add(normaliseIoc(value) as Indicator)
  return (text: string) => {
    const found: string[] = []
    matcher.scan(text, (type, value) => found.push(`${type} ${value}`))
    return found.sort()
  }
}
const scan = matcherOf(KNOWN)

const LINES: [string, string[]][] = [
  ['Failed password for root from 203.0.113.7 port 22 ssh2', ['ip 203.0.113.7']],
  ['203.0.113.7', ['ip 203.0.113.7']],
  ['SRC=203.0.113.7,DST=10.0.0.1', ['ip 203.0.113.7']],
  ['(203.0.113.7:443)', ['ip 203.0.113.7']],
  ['It came from 203.0.113.7.', ['ip 203.0.113.7']],
  ['root@203.0.113.7', ['ip 203.0.113.7']],
  ['1203.0.113.7 and 203.0.113.70 and 203.0.113', []],
  ['version 203.0.113.7.1', []],
  ['to 198.51.100.200', ['cidr 198.51.100.0/24']],
  ['to 198.51.101.200', []],
  ['peer [2001:DB8:0::BAD]:443', ['ip 2001:db8::bad']],
  ['peer 2001:db8:1:2::3', ['cidr 2001:db8:1::/48']],
  ['connect to 2001:db8::bad: timed out', ['ip 2001:db8::bad']],
  ['client:2001:db8::bad', ['ip 2001:db8::bad']],
  ['src:2001:db8::bad', ['ip 2001:db8::bad']],
  ['source:2001:db8:0:0:0:0:0:bad', ['ip 2001:db8::bad']],
  ['203.0.113.7->10.0.0.1', ['ip 203.0.113.7']],
  ['10.0.0.1->203.0.113.7', ['ip 203.0.113.7']],
  ['-198.51.100.200', ['cidr 198.51.100.0/24']],
  ['at 12:34:56 nothing', []],
  ['GET evil.example', ['domain evil.example']],
  ['query: www.EVIL.example. IN A', ['domain evil.example']],
  ['https://cdn.evil.example:8443/x', ['domain evil.example']],
  ['notevil.example and evil.example.org', []],
  ['c2.test', []],
  ['a.deep.c2.test', ['domain deep.c2.test']],
  ['besuch bücher.example!', ['domain xn--bcher-kva.example']],
  ['“evil.example” und 203.0.113.7، ثم', ['domain evil.example', 'ip 203.0.113.7']],
  ['üevil.example', []],
  ['fetched http://evil.test/path?q=1#top', ['url http://evil.test/path?q=1']],
  ['(see HTTP://EVIL.test:80/path?q=1).', ['url http://evil.test/path?q=1']],
  ['http://evil.test/PATH?q=1', []],
  ['GET https://any.test/gate.php from', ['url any.test/gate.php']],
  [
    `SHA256=${SHA256.toUpperCase()},MD5=${'CD'.repeat(16)}`,
    [`md5 ${'cd'.repeat(16)}`, `sha256 ${SHA256}`],
  ],
  [`SHA256=${'0'.repeat(64)},IMPHASH=${'CD'.repeat(16)}`, [`imphash ${'cd'.repeat(16)}`]],
  [`{"imphash": "${'cd'.repeat(16)}"}`, [`imphash ${'cd'.repeat(16)}`]],
  [`<Data Name='Imphash'>${'cd'.repeat(16)}</Data>`, [`imphash ${'cd'.repeat(16)}`]],
  [`Imphash of the file ${'cd'.repeat(16)}`, [`md5 ${'cd'.repeat(16)}`]],
  [`sha1:${'ef'.repeat(20)}`, [`sha1 ${'ef'.repeat(20)}`]],
  [`${SHA256}00`, []],
  ['From: "Bank" <Phish@Mail.test>', ['email phish@mail.test']],
  ['tophish@mail.test', []],
  ['exploits cve-2021-44228!', ['cve CVE-2021-44228']],
  ['CVE-2021-442281', []],
  ['', []],
]
for (const [line, expected] of LINES) {
  test(`in ${JSON.stringify(line.slice(0, 50))}`, () => assert.deepEqual(scan(line), expected))
}

test('a field named after it holds an import hash, whatever its digits look like', () => {
  const matcher = createIndicatorMatcher()
  for (const type of ['md5', 'imphash'] as const) matcher.add({ type, value: 'cd'.repeat(16) })
  const typesIn = (field: string) => {
    const types: string[] = []
    matcher.scan('CD'.repeat(16), (type) => types.push(type), field)
    return types
  }
  for (const field of ['Imphash', 'IMPHASH', 'process.pe.imphash', 'winlog.event_data.Imphash']) {
    assert.deepEqual(typesIn(field), ['imphash'])
  }
  assert.deepEqual(typesIn('process.hash.md5'), ['md5'])
})

test('an empty matcher finds nothing', () => assert.deepEqual(matcherOf([])(LINES.join(' ')), []))

test('any indicator is found between any words', () => {
  const value = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain(), fc.emailAddress())
  const word = fc.stringMatching(/^[ =,;()[\]"'|]{1,3}(?:[a-z0-9]{1,8}[ =,;()[\]"'|]{1,3}){0,3}$/)
  const found = matcherOf(['-a.a@a.aa'])('(-a.a@a.aa)')
  assert.deepEqual(found, ['email -a.a@a.aa'], 'one that begins like a list')
  fc.assert(
    fc.property(value, word, word, (given, before, after) => {
      const known = normaliseIoc(given)
      // `::` is no address in a text, but a mark of many languages.
      fc.pre(typeof known !== 'string' && known.value !== '::' && !/[^\w@.:+%-]/.test(known.value))
      const found = matcherOf([given])(`${before}${given}${after}`)
      assert.ok(found.includes(`${(known as Indicator).type} ${(known as Indicator).value}`))
    }),
    { numRuns: 500 },
  )
})

test('no text, however odd, is a bug', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      scan(text)
    }),
    { numRuns: 500 },
  ))

test('a hundred thousand indicators are all found, and nothing else', () => {
  const matcher = createIndicatorMatcher()
  const name = (index: number) => `host-${index}.net-${index % 97}.test`
  for (let index = 0; index < 100_000; index += 1)
    matcher.add({ type: 'domain', value: name(index) })
  assert.equal(matcher.size(), 100_000)
  let hits = 0
  for (let index = 0; index < 200_000; index += 1) matcher.scan(name(index), () => (hits += 1))
  assert.equal(hits, 100_000)
})

test('no text, however long, takes more work than its length', () => {
  // An hour each, were it to grow with the square of the length.
  const scan = matcherOf([
    'http://evil.example/',
    'evil.example',
    '2001:db8::1',
    'CVE-2024-12345',
    'd41d8cd98f00b204e9800998ecf8427e',
  ])
  const HOSTILE: [begin: string, again: string, end: string][] = [
    ['http://a', '.', 'x'],
    ['http://a', 'http://', ''],
    ['', '::', ''],
    ['', 'a.', '@'],
    ['', 'a@', '.'],
    ['', 'cve-2024-', ''],
    ['', 'é.', ''],
    ['', 'a'.repeat(31), ' '],
  ]
  for (const [begin, again, end] of HOSTILE) scan(begin + again.repeat(1_000_000) + end)
})
