import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePredicate } from '@manara/log-query/predicate'
import { storedLog } from '../../testing/stored-log.ts'
import { createIndicatorMatcher } from './domain/indicator-matcher.ts'
import { normaliseIoc } from './domain/normalise.ts'
import { matchLog } from './match-log.ts'
import { queryFor } from './query-for.ts'

const addresses = Array.from({ length: 250 }, (_, index) => `192.0.2.${index}`)

function matcherOf(values: string[]) {
  const matcher = createIndicatorMatcher()
  for (const value of values) matcher.add({ type: 'ip', value })
  return matcher
}

test('an event that lists indicators is a sighting of the first hundred', () => {
  const message = [...addresses, ...addresses].join(' ')
  const hits = matchLog(matcherOf(addresses), storedLog({ message }))
  assert.deepEqual(
    hits.map(({ value }) => value),
    addresses.slice(0, 100),
  )
})

test('each indicator once, wherever in the event it is', () => {
  const log = storedLog({ message: 'from 192.0.2.1 to 192.0.2.2', src_ip: '192.0.2.1' })
  assert.deepEqual(
    matchLog(matcherOf(addresses), log).map(({ value }) => value),
    ['192.0.2.1', '192.0.2.2'],
  )
})

for (const [value, host] of [
  ['https://evil.example/a', 'evil.example'],
  ['evil.example/gate.php', 'evil.example'],
  ['evil.example:8080/', 'evil.example'],
  ['192.0.2.7:8080/', '192.0.2.7'],
] as const) {
  test(`${value} is looked for by its host`, () =>
    assert.deepEqual(queryFor({ type: 'url', value }), {
      kind: 'text',
      match: { kind: 'pattern', parts: [host] },
    }))
}

for (const [given, message] of [
  ['198.51.100.64/26', 'dropped packet of 198.51.100.78'],
  ['198.51.100.7/32', 'dropped packet of 198.51.100.7'],
  ['203.0.64.0/18', 'dropped packet of 203.0.127.254'],
  ['172.16.0.0/12', 'dropped packet of 172.31.9.9'],
  ['200.0.0.0/13', 'dropped packet of 200.7.9.9'],
  ['bücher.example', 'visit BÜCHER.example now'],
  ['bücher.example', 'visit xn--bcher-kva.example now'],
  ['x@bücher.example', 'mail from x@bücher.example refused'],
  ['x@bücher.example', 'mail from <X@xn--bcher-kva.example> refused'],
  ['http://bücher.example/a', 'GET http://bücher.example/a 200'],
  ['2001:db8::1', 'from 2001:0DB8:0000:0000:0000:0000:0000:0001'],
  ['2001:db8:0:5::1', 'from 2001:db8:0000:5:0:0:0:1'],
  ['2001:db8:1::/48', 'from 2001:0db8:0001:0002::3'],
  ['2001:db8:a:b:c:d:e:f', 'from 2001:0db8:A:B:C:D:E:F'],
  ['2001:db8::/32', 'from 2001:db8::5'],
  ['::5', 'from ::5'],
] as const) {
  test(`${given} in "${message}" is found by looking back, as on arrival`, () => {
    const indicator = normaliseIoc(given)
    assert.ok(typeof indicator === 'object')
    const matcher = createIndicatorMatcher()
    matcher.add(indicator)
    const log = storedLog({ fields: { 'dns.answers': [message] } })
    assert.equal(matchLog(matcher, log).length, 1)
    assert.ok(compilePredicate(queryFor(indicator))(log))
  })
}
