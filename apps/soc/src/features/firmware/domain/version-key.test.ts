import assert from 'node:assert/strict'
import { test } from 'node:test'
import { versionKey } from './version-key.ts'

const OLDEST_FIRST = [
  ['1', '1.1', '1.2', '1.2.1', '1.10', '2'],
  ['3.8.0-alpha', '3.8.0-beta.2', '3.8.0-beta.11', '3.8.0-rc1', '3.8.0', '3.8.0.1', '3.8.1'],
  ['v1.9', 'V1.10', '1.11'],
  ['2.4', '2.4a', '2.4b', '2.5'],
  ['2024.9.30', '2024.10.1'],
  ['4.2~rc1', '4.2', '4.2-7', '4.2-12'],
  ['10.0.17763.1', '10.0.19041.0'],
] as const

for (const versions of OLDEST_FIRST) {
  test(`${versions.join(' < ')}`, () => {
    const keys = versions.map(versionKey)
    assert.deepEqual(keys.toSorted(), keys)
    assert.equal(new Set(keys).size, keys.length)
  })
}

test('zeros at the end, leading zeros and a build do not make another version', () => {
  for (const same of ['1.2', '1.2.0', '1.2.0.0', 'v1.02', '1.2+build.7']) {
    assert.equal(versionKey(same), versionKey('1.2'), same)
  }
})

test('a version of any spelling has a key', () => {
  for (const odd of ['', '…', 'Rev. C', 'بناء 7', '-', 'rc1']) {
    assert.equal(typeof versionKey(odd), 'string', odd)
  }
  assert.ok(versionKey('Rev. C') < versionKey('Rev. D'))
})
