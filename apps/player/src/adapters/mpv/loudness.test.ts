import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLoudness } from './loudness.ts'

/** Of 300 ms, as far as a fade may go at once. */
const MOST = 30 / 300

const stepsOf = (levels: number[]) =>
  levels.map((level, at) => Math.abs(level - (levels[at - 1] ?? 1)))

test('a fade goes on from where it was when nobody had time for it', async () => {
  const levels: number[] = []
  const loudness = createLoudness(async (percent) => levels.push(percent / 100))
  const faded = loudness.fade(0, 300)
  while (levels.length < 3) await sleep(1)
  const until = performance.now() + 250
  while (performance.now() < until);
  assert.equal(await faded, true)
  assert.equal(levels.at(-1), 0)
  const widest = Math.max(...stepsOf(levels))
  assert.ok(widest <= MOST + 1e-9, `a step of ${widest}`)
})

test('a fade waits for what mpv has not heard of, and for what it refuses', async () => {
  const levels: number[] = []
  const unheard = Promise.withResolvers<void>()
  const loudness = createLoudness(async (percent) => {
    levels.push(percent / 100)
    if (levels.length === 3) await unheard.promise
  })
  const faded = loudness.fade(0, 300)
  while (levels.length < 3) await sleep(1)
  await sleep(100)
  assert.equal(levels.length, 3)
  unheard.reject(new Error('busy'))
  assert.equal(await faded, true)
  assert.ok(Math.max(...stepsOf(levels)) <= MOST + 1e-9)
})

test('whoever waits for a fade is told when another takes its place', async () => {
  const loudness = createLoudness(async () => {})
  const [first, second] = [loudness.fade(0, 10_000), loudness.fade(0.5, 20)]
  assert.deepEqual(await Promise.all([first, second]), [false, true])
  const third = loudness.fade(0, 10_000)
  loudness.end()
  assert.equal(await third, false)
})
