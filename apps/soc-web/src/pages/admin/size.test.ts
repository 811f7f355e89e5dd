import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSize, shortSize } from './size.ts'

test('a size is read as settings are written, and shown in few letters', () => {
  assert.equal(readSize('200G'), 200 * 2 ** 30)
  assert.equal(readSize(' 1.5 MB '), 1.5 * 2 ** 20)
  assert.equal(readSize('512'), 512)
  assert.equal(readSize('much'), undefined)
  assert.equal(shortSize(0), '0 B')
  assert.equal(shortSize(1_536), '1.5 KB')
  assert.equal(shortSize(200 * 2 ** 30), '200 GB')
})

test('what is shown is read as the same size, to a tenth', () => {
  for (const bytes of [1, 1023, 1024, 5_000_000, 7.3 * 2 ** 40]) {
    const again = readSize(shortSize(bytes)) ?? Number.NaN
    assert.ok(Math.abs(again - bytes) <= bytes * 0.06, `${bytes} became ${again}`)
  }
})
