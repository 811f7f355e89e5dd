import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceLost } from './byte-reader.ts'
import { createFeeder } from './feeder.ts'
import type { Pcm } from './pcm.ts'

const tone = (frames: number, rate: number): Pcm => ({
  channels: [new Float32Array(frames).fill(0.5)],
  frames,
  rate,
})

const asItIs = (frames: number) => [{ frames, fromGain: 1, toGain: 1 }]

function feedOf(...parts: (Pcm | Error)[]) {
  return async () => {
    const part = parts.shift()
    if (part instanceof Error) throw part
    return part
  }
}

test('a source is read no further than the ring is long', async () => {
  let given = 0
  const endless = async () => {
    given += 1
    return tone(100, 1000)
  }
  const feeder = createFeeder(endless, 1)
  await feeder.filled(1)
  assert.equal(feeder.frames(), 1000)
  await new Promise((resolve) => setImmediate(resolve))
  assert.ok(given <= 11, `${given} pieces read`)
  feeder.take(200, asItIs)
  await feeder.filled(1)
  assert.equal(feeder.frames(), 1000)
  await feeder.stop()
})

test('the end and what led to it are told once everything is stored', async () => {
  const ended = createFeeder(feedOf(tone(500, 1000)), 1)
  await ended.filled(1)
  assert.deepEqual([ended.finish(), ended.frames()], [{ reason: 'eof' }, 500])
  const lost = createFeeder(feedOf(tone(500, 1000), sourceLost('the card is gone')), 1)
  await lost.filled(1)
  assert.deepEqual(lost.finish(), { reason: 'lost', error: 'the card is gone' })
  const broken = createFeeder(feedOf(new Error('damaged')), 1)
  await broken.filled(1)
  assert.deepEqual(broken.finish(), { reason: 'error', error: 'damaged' })
})

test('a new sample rate waits until the old one is played out', async () => {
  const feeder = createFeeder(feedOf(tone(300, 1000), tone(600, 2000)), 1)
  await feeder.filled(0.3)
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([feeder.rate(), feeder.frames(), feeder.switching()], [1000, 300, true])
  feeder.take(300, asItIs)
  await feeder.filled(0.3)
  assert.deepEqual([feeder.rate(), feeder.frames(), feeder.switching()], [2000, 600, false])
})
