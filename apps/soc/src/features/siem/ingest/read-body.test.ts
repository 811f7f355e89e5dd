import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { readBody } from './read-body.ts'

const frame = (text: string) => zstdCompressSync(Buffer.from(text))

test('all frames of zstd are read, as of files that were put together', async () => {
  const body = Buffer.concat(['{"n":1}\n', '', '{"n":2}\n'].map(frame))
  assert.equal(String(await readBody(body, 'zstd')), '{"n":1}\n{"n":2}\n')
})

test('zstd that ends within a frame, or goes on with something else, is not read in part', async () => {
  const whole = frame('{"n":1}\n')
  for (const body of [
    Buffer.concat([whole, whole.subarray(0, -1)]),
    Buffer.concat([whole, Buffer.from('{"n":2}')]),
  ]) {
    await assert.rejects(readBody(body, 'zstd'), /not valid zstd/)
  }
})

test('frames together unpack to no more than a request may hold, and are not too many', async () => {
  const half = frame('x'.repeat(40 * 1024 * 1024))
  await assert.rejects(readBody(Buffer.concat([half, half]), 'zstd'), /more than 64 MB/)
  const many = Buffer.concat(Array.from({ length: 1_001 }, () => frame('')))
  await assert.rejects(readBody(many, 'zstd'), /1,000 frames/)
})
