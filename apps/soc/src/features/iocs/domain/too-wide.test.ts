import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normaliseIoc } from './normalise.ts'
import { tooWide } from './too-wide.ts'

const problemOf = (text: string) => {
  const indicator = normaliseIoc(text)
  assert.ok(typeof indicator === 'object', `${text} ${indicator}`)
  return tooWide(indicator)
}

const REFUSED: [text: string, reason: RegExp][] = [
  ['0.0.0.0/1', /^is too wide: a network has at least \/12, of IPv6 \/20$/],
  ['45.0.0.0/8', /too wide/],
  ['45.16.0.0/11', /too wide/],
  ['2000::/3', /too wide/],
  ['2a00::/12', /too wide/],
  ['::ffff:0.0.0.0/97', /too wide/],
  ['10.0.0.0/8', /too wide/],
  ['172.16.0.0/12', /^is too wide: a private network has at least \/24, of IPv6 \/64$/],
  ['192.168.0.0/16', /private network/],
  ['fd00::/48', /private network/],
  ['127.0.0.1', /^is the address of no other machine$/],
  ['127.8.0.0/16', /no other machine/],
  ['0.0.0.0', /no other machine/],
  ['::', /no other machine/],
  ['::1', /no other machine/],
  ['224.0.0.251', /no other machine/],
  ['255.255.255.255', /no other machine/],
  ['ff02::1', /no other machine/],
  ['co.uk', /^is too wide: everybody has names below it$/],
  ['*.com.au', /too wide/],
  ['go.jp', /too wide/],
  ['in-addr.arpa', /too wide/],
  ['localhost.localdomain', /^is the name of no other machine$/],
  ['http://localhost:8080/a', /no other machine/],
  ['https://LOCALHOST./x', /no other machine/],
  ['http://[::1]/a', /no other machine/],
  ['127.0.0.1/gate.php', /no other machine/],
  ['d41d8cd98f00b204e9800998ecf8427e', /^is the hash of every empty file$/],
]

for (const [text, reason] of REFUSED) {
  test(`${text} is no indicator`, () => assert.match(problemOf(text) ?? 'taken', reason))
}

const TAKEN = [
  '203.0.113.7',
  '10.1.2.3',
  '192.168.7.0/24',
  '169.254.169.254',
  '42.128.0.0/12',
  '2a06:e480::/29',
  'fd00:1:2:3::/64',
  'evil.co.uk',
  'evil.example',
  'duckdns.org',
  'a.localhost.example',
  'http://10.1.2.3/gate.php',
  'http://evil.example/',
  'phish@co.uk',
  'a'.repeat(32),
  'CVE-2021-44228',
]

for (const text of TAKEN) test(`${text} is one`, () => assert.equal(problemOf(text), undefined))
