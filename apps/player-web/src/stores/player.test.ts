import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Snapshot } from '@manara/player-contract/events'
import { Declined, Refused } from './api.ts'
import { createAttempt } from './attempt.ts'
import { createBox } from './box.ts'
import { createPlayer } from './player.ts'

const PLAYING = {
  playback: { state: 'playing', mode: 'file', position: 30_000, duration: 60_000, volume: 40 },
  settings: { time: 0 },
} as unknown as Snapshot

/** A player whose box answers when the test lets it, and whose timers it turns. */
function fixture() {
  const box = createBox(() => 0)
  box.hear({ event: 'snapshot', data: PLAYING })
  const sent: [path: string, body: unknown][] = []
  const answers: ((reply: object | Error) => void)[] = []
  const problems: string[] = []
  const timers: (() => void)[] = []
  const player = createPlayer({
    box,
    api: {
      post: (path: string, body?: object) =>
        new Promise((resolve, reject) => {
          sent.push([path, body])
          answers.push((reply) =>
            reply instanceof Error ? reject(reply) : resolve(reply as never),
          )
        }),
    } as never,
    attempt: createAttempt({
      why: String,
      problem: (text) => problems.push(text),
    }),
    after(_ms, then) {
      timers.push(then)
      return () => {}
    },
  })
  return { box, player, sent, answers, problems, timers }
}

test('a pause shows before the box has answered', async () => {
  const { box, player, answers } = fixture()
  const done = player.toggle()
  assert.equal(box.playback.value?.state, 'paused')
  answers[0]?.({ success: true, ...PLAYING.playback, state: 'paused' })
  assert.equal(await done, true)
})

test('a reply that comes after the word of another phone is the older of the two', async () => {
  const { box, player, answers } = fixture()
  const done = player.seek(5_000)
  // Both have happened in the box before the reply is here: ours, and then the pause of another.
  box.hear({ event: 'playback', data: { ...PLAYING.playback, position: 5_000 } })
  box.hear({ event: 'playback', data: { ...PLAYING.playback, position: 5_000, state: 'paused' } })
  answers[0]?.({ success: true, ...PLAYING.playback, position: 5_000 })
  assert.equal(await done, true)
  assert.equal(box.playback.value?.state, 'paused')
})

test('what the box refuses is taken back, with the reason', async () => {
  const { box, player, answers, problems } = fixture()
  const done = player.seek(5_000)
  assert.equal(box.playback.value?.position, 5_000)
  answers[0]?.(new Refused(429, 'too many'))
  assert.equal(await done, false)
  assert.equal(box.playback.value?.position, 30_000)
  assert.deepEqual(problems, ['Error: too many'])
})

test('what the box has said meanwhile is not taken back', async () => {
  const { box, player, answers } = fixture()
  const done = player.seek(5_000)
  box.hear({ event: 'progress', data: { position: 31_000, duration: 60_000 } })
  answers[0]?.(new Refused(500, 'broken'))
  await done
  assert.equal(box.playback.value?.position, 31_000)
})

test('a pause that was refused is taken back, also when the place has moved on meanwhile', async () => {
  const { box, player, answers } = fixture()
  const done = player.toggle()
  box.hear({ event: 'progress', data: { position: 31_000, duration: 60_000 } })
  answers[0]?.(new Refused(500, 'broken'))
  await done
  const { state, position } = box.playback.value ?? {}
  assert.deepEqual([state, position], ['playing', 31_000])
})

test('ten seconds on and back stay inside the surah', () => {
  const { player, sent, box } = fixture()
  void player.skip(1)
  box.lay({ playback: { ...PLAYING.playback, position: 4_000 } })
  void player.skip(-1)
  box.lay({ playback: { ...PLAYING.playback, position: 55_000 } })
  void player.skip(1)
  assert.deepEqual(
    sent.map(([, body]) => body),
    [{ position: 40_000 }, { position: 0 }, { position: 59_000 }],
  )
})

test('a volume that the box did not take is taken back to the last that it took', async () => {
  const { player, answers, timers, box } = fixture()
  const settled = () => new Promise(setImmediate)
  for (const volume of [45, 60]) player.setVolume(volume)
  timers.shift()?.()
  answers[0]?.({ success: true, volume: 45 })
  await settled()
  answers[1]?.(new Declined())
  await settled()
  assert.equal(box.playback.value?.volume, 45)
  timers.shift()?.()
  box.hear({ event: 'volume', data: { volume: 30 } })
  player.setVolume(70)
  answers[2]?.(new Refused(429, 'too many'))
  await settled()
  assert.equal(box.playback.value?.volume, 30)
})

test('a held volume is sent now and then, and its last value always', () => {
  const { player, sent, timers, box } = fixture()
  for (const volume of [41, 45, 50, 60]) player.setVolume(volume)
  assert.equal(box.playback.value?.volume, 60)
  assert.deepEqual(sent, [['/playback/volume', { volume: 41 }]])
  timers.shift()?.()
  assert.deepEqual(sent.at(-1), ['/playback/volume', { volume: 60 }])
  timers.shift()?.()
  assert.equal(sent.length, 2)
})
