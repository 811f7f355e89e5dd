import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pcm } from './pcm.ts'
import { createRing, type Ring } from './ring.ts'

const ramp = (from: number, frames: number): Pcm => ({
  channels: [Float32Array.from({ length: frames }, (_, i) => (from + i) / 32768)],
  frames,
  rate: 8000,
})
/** At most what there is, the gain sliding from one value to the other. */
const read = (ring: Ring, frames: number, fromGain: number, toGain: number) =>
  ring.read([{ frames: Math.min(frames, ring.frames()), fromGain, toGain }])
const left = (samples: Int16Array) => [...samples].filter((_, i) => i % 2 === 0)

test('what goes in comes out in order, around the end and back', () => {
  const ring = createRing(10, 4)
  let written = 0
  let out = 0
  for (const [put, take] of [
    [7, 3],
    [5, 6],
    [7, 9],
    [9, 4],
    [4, 10],
  ] as const) {
    written += ring.write(ramp(written, put), 0, put)
    const heard = left(read(ring, take, 1, 1))
    assert.deepEqual(
      heard,
      Array.from({ length: heard.length }, (_, i) => out + i),
    )
    out += heard.length
  }
  assert.equal(ring.frames(), written - out)
})

test('no more is taken than there is room for, and it says so', () => {
  const ring = createRing(10, 4)
  assert.equal(ring.write(ramp(0, 25), 0, 25), 10)
  assert.equal(ring.write(ramp(10, 5), 0, 5), 0)
  read(ring, 3, 1, 1)
  assert.equal(ring.write(ramp(0, 25), 10, 15), 3)
  assert.deepEqual(left(read(ring, 10, 1, 1)), [3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
})

test('what was read can be taken back, as far as it is kept', () => {
  const ring = createRing(10, 4)
  ring.write(ramp(0, 10), 0, 10)
  read(ring, 6, 1, 1)
  assert.equal(ring.rewind(3), 3)
  assert.deepEqual(left(read(ring, 2, 1, 1)), [3, 4])
  assert.equal(ring.rewind(9), 3)
  ring.write(ramp(10, 3), 0, 3)
  assert.deepEqual(left(read(ring, 20, 1, 1)), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
})

test('what is taken back into a full one pushes nothing out', () => {
  const ring = createRing(10, 4)
  ring.write(ramp(0, 10), 0, 10)
  read(ring, 4, 1, 1)
  ring.write(ramp(10, 4), 0, 4)
  assert.equal(ring.rewind(3), 3)
  assert.equal(ring.write(ramp(14, 5), 0, 5), 0)
  const all = Array.from({ length: 13 }, (_, i) => 1 + i)
  assert.deepEqual(left(read(ring, 20, 1, 1)), all)
})

test('mono is heard on both sides, and what is too loud is cut, not wrapped', () => {
  const ring = createRing(4, 0)
  const channels = [Float32Array.from([1, -1, 2, -2])]
  ring.write({ channels, frames: 4, rate: 8000 }, 0, 4)
  assert.deepEqual(
    [...read(ring, 4, 1, 1)],
    [32767, 32767, -32768, -32768, 32767, 32767, -32768, -32768],
  )
})

test('the gain slides to its new value', () => {
  const ring = createRing(4, 0)
  ring.write({ channels: [new Float32Array(4).fill(0.5)], frames: 4, rate: 8000 }, 0, 4)
  assert.deepEqual(left(read(ring, 4, 0, 1)), [4096, 8192, 12288, 16384])
})
