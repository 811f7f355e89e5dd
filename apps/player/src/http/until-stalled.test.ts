import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '../testing/manual-clock.ts'
import { untilStalled } from './until-stalled.ts'

const PATIENCE = {
  ...{ silenceMs: 30_000, leastBytes: 100, totalMs: 100_000 },
  silent: (seconds: number) => new Error(`nothing came for ${seconds} s`),
}

/** Sends when a test says so, and knows whether it was let go. */
function createSender() {
  const clock = createManualClock()
  const seen = { isLetGo: false }
  let wake = (_piece: IteratorResult<Uint8Array>) => {}
  const source: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve) => {
          wake = resolve
        }),
      return: async () => {
        seen.isLetGo = true
        return { done: true, value: undefined }
      },
    }),
  }
  const pieces = untilStalled(source, clock, PATIENCE)
  return {
    clock,
    seen,
    pieces,
    /** The next piece, sent after that long. */
    after(ms: number, bytes = PATIENCE.leastBytes) {
      const next = pieces.next()
      clock.advance(ms)
      wake({ done: false, value: new Uint8Array(bytes) })
      return next
    },
  }
}

test('a sender that falls silent for 30 s is given up; each piece starts the time anew', async () => {
  const { after, clock, pieces, seen } = createSender()
  for (let piece = 0; piece < 3; piece += 1) assert.equal((await after(29_000)).done, false)
  const silent = assert.rejects(pieces.next(), /nothing came for 30 s/)
  clock.advance(30_000)
  await silent
  assert.ok(seen.isLetGo)
})

test('a sender that drips without end is given up too', async () => {
  const { after, seen } = createSender()
  for (let piece = 0; piece < 4; piece += 1) await after(25_000)
  await assert.rejects(after(25_000), /took too long/)
  assert.ok(seen.isLetGo)
})

test('one that drips is given up as if it said nothing; what it takes to work on a piece is no silence', async () => {
  const { after, clock, pieces, seen } = createSender()
  await after(20_000, 60)
  clock.advance(50_000)
  await after(9_000, 40)
  await after(20_000, 99)
  const silent = assert.rejects(pieces.next(), /nothing came for 30 s/)
  clock.advance(10_000)
  await silent
  assert.ok(seen.isLetGo)
})
