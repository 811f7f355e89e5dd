import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bmp } from './bmp.ts'

const RED = [255, 0, 0, 255]
const GREEN = [0, 255, 0, 255]
const BLUE = [1, 2, 255, 255]

test('rows lie from the bottom, blue first, each filled to four bytes', () => {
  const picture = { width: 1, height: 3, rgba: Uint8Array.from([RED, GREEN, BLUE].flat()) }
  const file = bmp(picture)
  assert.equal(file.length, 54 + 3 * 4)
  assert.equal(file.toString('latin1', 0, 2), 'BM')
  assert.equal(file.readUInt32LE(2), file.length)
  assert.equal(file.readUInt32LE(10), 54)
  assert.equal(file.readUInt32LE(14), 40)
  assert.deepEqual([file.readInt32LE(18), file.readInt32LE(22)], [1, 3])
  assert.deepEqual([file.readUInt16LE(26), file.readUInt16LE(28)], [1, 24])
  assert.equal(file.readUInt32LE(30), 0, 'not compressed')
  assert.equal(file.readUInt32LE(34), 12)
  assert.deepEqual([...file.subarray(54)], [255, 2, 1, 0, 0, 255, 0, 0, 0, 0, 255, 0])
})
