import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFader } from './fader.ts'

/** By ear, to a hundredth. */
const levelOf = (gain: number | undefined) => Math.round(Math.cbrt(gain ?? Number.NaN) * 100) / 100

test('what falls comes to its level, and from there to silence by its time', () => {
  const fader = createFader(100)
  fader.fade(0, 0)
  fader.fall({ level: 0.5, over_ms: 1000 }, 100)
  const levelAfter = (ms: number) => levelOf(fader.blocks(ms, 1000).at(-1)?.toGain)
  assert.deepEqual([100, 450, 450, 10].map(levelAfter), [0.5, 0.25, 0, 0])
})

test('a fade takes the place of what falls', () => {
  const fader = createFader(100)
  fader.fall({ level: 0.5, over_ms: 1000 }, 0)
  assert.equal(levelOf(fader.blocks(1, 1000)[0]?.fromGain), 0.5)
  fader.fade(1, 500)
  assert.equal(levelOf(fader.blocks(2000, 1000).at(-1)?.toGain), 1)
})

test('a ramp is as long however few frames come at once', () => {
  for (const pieces of [[441], [200, 150, 91], [1, 219, 132, 89]]) {
    const fader = createFader(100)
    fader.fade(0, 0)
    fader.fade(1, 8)
    let risen = 0
    for (const { frames, fromGain } of pieces.flatMap((count) => fader.blocks(count, 44_100)))
      if (fromGain < 1) risen += frames
    assert.equal(risen, 353, pieces.join())
  }
})
