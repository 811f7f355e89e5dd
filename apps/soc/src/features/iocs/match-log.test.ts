import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedLog } from '../../testing/stored-log.ts'
import { createIndicatorMatcher } from './domain/indicator-matcher.ts'
import { queryFor } from './look-back.ts'
import { matchLog } from './match-log.ts'

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
