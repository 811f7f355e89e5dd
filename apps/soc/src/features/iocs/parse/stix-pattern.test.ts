import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patternOf, patternValues } from './stix-pattern.ts'

test('a pattern made to take long is gone through once', () => {
  for (const again of ['1', "\\'", "'", 'a', ' ', '[', 'a:', '-']) {
    const read = patternValues(`[ipv4-addr:value = '192.0.2.1' ${again.repeat(1_000_000)}`)
    assert.ok(typeof read === 'string' || read.length > 0)
  }
})

test('an import hash, as STIX and as others write it', () => {
  const value = 'ab'.repeat(16)
  const meant = [{ type: 'imphash', value }]
  for (const path of [
    "file:extensions.'windows-pebinary-ext'.imphash",
    "file:hashes.'IMPHASH'",
    'file:hashes.imphash',
    'pe:imphash',
  ]) {
    assert.deepEqual(patternValues(`[${path} = '${value}']`), meant)
  }
  assert.deepEqual(patternValues(patternOf({ type: 'imphash', value })), meant)
})

test('a literal that is never closed is no value', () => {
  assert.equal(typeof patternValues("[ipv4-addr:value = '192.0.2.1]"), 'string')
})

test('a pattern of very many values is gone through once too', () => {
  const values = Array.from(
    { length: 60_000 },
    (_, index) => `domain-name:value = 'd${index}.example'`,
  )
  assert.equal(patternValues(`[${values.join(' OR ')}]`).length, values.length)
})

test('of what kind an address is may be said before it, as MISP, OpenCTI and Splunk do', () => {
  const kind = "network-traffic:dst_ref.type = 'ipv4-addr'"
  const address = "network-traffic:dst_ref.value = '192.0.2.1'"
  const meant = [{ type: undefined, value: '192.0.2.1' }]
  assert.deepEqual(patternValues(`[${kind} AND ${address}]`), meant)
  assert.deepEqual(patternValues(`[(${kind} AND ${address}) OR (${kind} AND ${address})]`), [
    ...meant,
    ...meant,
  ])
  for (const more of [
    `${kind} AND ${address} AND network-traffic:dst_port = 443`,
    `${kind} AND ${address} AND domain-name:value = 'a.example'`,
    `${kind} OR ${address} AND domain-name:value = 'a.example'`,
    kind,
  ]) {
    assert.equal(typeof patternValues(`[${more}]`), 'string', more)
  }
})
