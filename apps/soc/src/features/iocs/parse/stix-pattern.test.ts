import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patternValues } from './stix-pattern.ts'

test('a pattern made to take long is gone through once', () => {
  for (const again of ['1', "\\'", "'", 'a', ' ', '[', 'a:', '-']) {
    const read = patternValues(`[ipv4-addr:value = '192.0.2.1' ${again.repeat(1_000_000)}`)
    assert.ok(typeof read === 'string' || read.length > 0)
  }
})

test('a literal that is never closed is no value', () => {
  assert.equal(typeof patternValues("[ipv4-addr:value = '192.0.2.1]"), 'string')
})
