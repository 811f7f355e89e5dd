import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IocType } from '@manara/soc-contract/iocs'
import fc from 'fast-check'
import { normaliseIoc } from './normalise.ts'

const MD5 = 'd41d8cd98f00b204e9800998ecf8427e'

const RECOGNISED: [string, IocType, string][] = [
  ['203.0.113.7', 'ip', '203.0.113.7'],
  ['203[.]0[.]113(.)7', 'ip', '203.0.113.7'],
  ['2001:DB8:0:0:0:0:0:1', 'ip', '2001:db8::1'],
  ['[2001:db8::1]', 'ip', '2001:db8::1'],
  ['::ffff:203.0.113.7', 'ip', '203.0.113.7'],
  ['::', 'ip', '::'],
  ['1:0:0:2:0:0:0:3', 'ip', '1:0:0:2::3'],
  ['10.1.2.3/8', 'cidr', '10.0.0.0/8'],
  ['::ffff:198.51.0.0/112', 'cidr', '198.51.0.0/16'],
  ['::FFFF:c633:7/112', 'cidr', '198.51.0.0/16'],
  ['::ffff:0:0/96', 'cidr', '::ffff:0:0/96'],
  ['192.0.2.1/32', 'cidr', '192.0.2.1/32'],
  ['2001:db8:ffff::1/33', 'cidr', '2001:db8:8000::/33'],
  ['EVIL.Example.', 'domain', 'evil.example'],
  ['evil[.]com', 'domain', 'evil.com'],
  ['evil[dot]com', 'domain', 'evil.com'],
  ['*.evil.com', 'domain', 'evil.com'],
  ['bücher.example', 'domain', 'xn--bcher-kva.example'],
  ['_dmarc.evil.com', 'domain', '_dmarc.evil.com'],
  ['hxxp://evil[.]com', 'url', 'http://evil.com/'],
  ['hxxps[:]//Evil.com:443/A?b#c', 'url', 'https://evil.com/A?b'],
  ['http[://]evil.com/a', 'url', 'http://evil.com/a'],
  ['evil[.]com/a/B?c#d', 'url', 'evil.com/a/B?c'],
  ['Evil.com:8080', 'url', 'evil.com:8080/'],
  ['192.0.2.7/gate.php', 'url', '192.0.2.7/gate.php'],
  [`"${MD5.toUpperCase()}"`, 'md5', MD5],
  [`IMPHASH=${MD5.toUpperCase()}`, 'imphash', MD5],
  [`imphash: ${MD5}`, 'imphash', MD5],
  [`MD5=${MD5}`, 'md5', MD5],
  ['a'.repeat(40), 'sha1', 'a'.repeat(40)],
  ['B'.repeat(64), 'sha256', 'b'.repeat(64)],
  ['Phish[@]Evil[.]com', 'email', 'phish@evil.com'],
  ['cve-2021-44228', 'cve', 'CVE-2021-44228'],
]
for (const [given, type, value] of RECOGNISED) {
  test(`${given.slice(0, 40)} is the ${type} ${value.slice(0, 40)}`, () => {
    assert.deepEqual(normaliseIoc(given), { type, value })
    assert.deepEqual(normaliseIoc(given, type), { type, value })
  })
}

const REFUSED: [string, IocType | undefined][] = [
  ['', undefined],
  ['localhost', undefined],
  ['hello world', undefined],
  ['256.1.1.1', undefined],
  ['1.2.3', undefined],
  ['01.2.3.4', 'ip'],
  ['1.2.3.4', 'domain'],
  ['10.0.0.0/33', undefined],
  ['0.0.0.0/0', undefined],
  ['10.0.0.0/8', 'ip'],
  ['12:34:56', undefined],
  ['a..b.com', undefined],
  ['-a.com', 'domain'],
  [MD5, 'sha256'],
  [`imphash:${MD5}`, 'md5'],
  ['imphash:evil.example', undefined],
  ['@evil.com', undefined],
  ['a@b', undefined],
  ['CVE-21-1', undefined],
  ['javascript:alert(1)', undefined],
  ['http://', undefined],
  [`http://evil.com/${'a'.repeat(2_048)}`, undefined],
]
for (const [given, type] of REFUSED) {
  test(`${JSON.stringify(given.slice(0, 40))} is no ${type ?? 'indicator'}`, () =>
    assert.equal(typeof normaliseIoc(given, type), 'string'))
}

test('what is normalised stays as it is, whatever it was', () => {
  const text = fc.oneof(fc.webUrl(), fc.domain(), fc.ipV4(), fc.ipV6(), fc.emailAddress())
  fc.assert(
    fc.property(text, (given) => {
      const once = normaliseIoc(given)
      if (typeof once === 'string') return
      assert.deepEqual(normaliseIoc(once.value), once)
    }),
    { numRuns: 300 },
  )
})

test('a value made to take long is refused by its length', () => {
  for (const again of ['"', ' ', '[.', '\\.', ' [.]']) {
    assert.match(String(normaliseIoc(`a${again.repeat(1_000_000)}b`)), /at most 2048 characters/)
  }
})
