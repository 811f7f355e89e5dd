import assert from 'node:assert/strict'
import { test } from 'node:test'
import { near } from '../testing/recorder.ts'
import { joinPcm, type Pcm } from './pcm.ts'
import { stretched } from './stretch.ts'

const RATE = 44_100

/** A voice: a deep tone with its overtones, louder on the left. */
const voice = (hertz: number) => (frame: number) =>
  [1, 0.5, 0.25].reduce(
    (sum, strength, i) =>
      sum + 0.3 * strength * Math.sin((2 * Math.PI * hertz * (i + 1) * frame) / RATE),
    0,
  )

function source(frames: number, sampleOf: (frame: number) => number) {
  let at = 0
  return async (): Promise<Pcm | undefined> => {
    const count = Math.min(1152, frames - at)
    if (count <= 0) return undefined
    const left = Float32Array.from({ length: count }, (_, i) => sampleOf(at + i))
    at += count
    return { channels: [left, left.map((sample) => sample / 2)], frames: count, rate: RATE }
  }
}

async function all(next: () => Promise<Pcm | undefined>): Promise<Pcm> {
  const parts: Pcm[] = []
  for (let pcm = await next(); pcm; pcm = await next()) parts.push(pcm)
  return joinPcm(parts)
}

/** The length of a period that the sound is most like itself after. */
function pitchOf(samples: Float32Array, low: number, high: number): number {
  const [from, length] = [Math.floor(samples.length / 2), 8192]
  const likeAt = (lag: number) => {
    let sum = 0
    for (let i = 0; i < length; i++)
      sum += (samples[from + i] ?? 0) * (samples[from + i + lag] ?? 0)
    return sum
  }
  const lags = Array.from(
    { length: Math.ceil(RATE / low) - Math.floor(RATE / high) },
    (_, i) => Math.floor(RATE / high) + i,
  )
  const best = lags.reduce((a, b) => (likeAt(b) > likeAt(a) ? b : a))
  const [before, at, after] = [likeAt(best - 1), likeAt(best), likeAt(best + 1)]
  return RATE / (best + (before - after) / (2 * (before - 2 * at + after)))
}

for (const percent of [50, 60, 75, 90, 110, 125])
  for (const hertz of [95, 140, 230])
    test(`at ${percent} % a voice of ${hertz} Hz keeps its pitch and its strength`, async () => {
      const { channels, frames } = await all(
        stretched(source(2 * RATE, voice(hertz)), percent / 100),
      )
      assert.equal(frames, Math.round((2 * RATE * 100) / percent))
      const [left = new Float32Array(), right = new Float32Array()] = channels
      assert.equal(left.length, frames)
      near(pitchOf(left, hertz * 0.7, hertz * 1.4), hertz, hertz * 0.005, 'pitch')
      const power = (samples: Float32Array) =>
        samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
      const before = (await all(source(2 * RATE, voice(hertz)))).channels[0] ?? new Float32Array()
      near(power(left) / power(before), 1, 0.05, 'power')
      near(power(right) / power(left), 0.25, 0.001, 'right against left')
    })

test('at 100 % sound passes as it is', async () => {
  const straight = await all(source(RATE, voice(140)))
  const passed = await all(stretched(source(RATE, voice(140)), 1))
  assert.deepEqual(passed, straight)
})

test('silence between sounds stays where it is, in its share', async () => {
  const burst = (frame: number) => (Math.floor(frame / RATE) % 2 === 0 ? voice(140)(frame) : 0)
  const { channels } = await all(stretched(source(3 * RATE, burst), 0.75))
  const [left = new Float32Array()] = channels
  const loud = (from_s: number, to_s: number) =>
    left.subarray(from_s * RATE, to_s * RATE).reduce((top, x) => Math.max(top, Math.abs(x)), 0)
  assert.ok(loud(1.4, 2.6) < 0.001, 'the silence')
  assert.ok(loud(1.2, 1.3) > 0.2 && loud(2.7, 2.8) > 0.2, 'the sounds around it')
})

for (const frames of [0, 1, 500, 900])
  test(`${frames} frames are enough or too few, and never too many`, async () => {
    const { frames: made } = await all(stretched(source(frames, voice(140)), 0.8))
    assert.equal(made, Math.round(frames / 0.8))
  })
