import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { playerFixture } from '../../testing/player-fixture.ts'

const FILES = [1, 2, 67, 78, 114].map((n) => `Husary/${String(n).padStart(3, '0')}.mp3`)
const surah = (number: number) => ({ type: 'surah', reciter: 'Husary', surah: number })
const WHY = 'no sound device could be opened'

async function setup(t: TestContext) {
  const box = await playerFixture(t, { files: FILES })
  const { audio, clock, get, post, settled } = box
  return {
    ...box,
    status: async () => (await get('/playback/status')).json(),
    async queued() {
      const { queue } = (await get('/playback/queue')).json()
      return queue.map((entry: { surah_number: number }) => entry.surah_number)
    },
    async play(...queue: number[]) {
      await post('/playback/play', { path: 'Husary/001.mp3' })
      for (const number of queue) await post('/playback/queue', surah(number))
    },
    async end() {
      audio.end()
      await settled()
    },
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        clock.advance(1_000)
        await settled()
      }
    },
  }
}

test('without a sound device the queue and the place stay, and it goes on when the device is back', async (t) => {
  const { audio, end, pass, play, queued, seen, status } = await setup(t)
  await play(2, 67)
  audio.plug(false)
  seen.splice(0)
  await end()
  const { state, error, hasResumeState } = await status()
  assert.deepEqual([state, error, hasResumeState], ['stopped', WHY, true])
  assert.deepEqual(await queued(), [2, 67])
  await pass(30)
  assert.deepEqual(await queued(), [2, 67])
  assert.equal(seen.filter(({ event }) => event === 'playback').length, 1, 'told once')
  audio.plug(true)
  await pass(1)
  assert.deepEqual([(await status()).surah_number, await queued()], [2, [67]])
})

test('a device that stays away is not waited for longer than a minute; the place is gone on from by hand', async (t) => {
  const { audio, end, pass, play, post, queued, status } = await setup(t)
  await play(2)
  audio.playTo(55_000)
  await pass(10)
  audio.plug(false)
  await end()
  await pass(120)
  const before = audio.attempts()
  audio.plug(true)
  await pass(60)
  assert.deepEqual([audio.attempts(), (await status()).state], [before, 'stopped'])
  assert.equal((await post('/playback/resume')).statusCode, 200)
  const { surah_number, position } = await status()
  assert.deepEqual([surah_number, position, await queued()], [1, 55_000, [2]])
})

test('continuous does not run through the reciter without a device, and goes on with the next', async (t) => {
  const { audio, end, pass, play, post, status } = await setup(t)
  await post('/playback/mode', { mode: 'continuous' })
  await play()
  audio.plug(false)
  const before = audio.attempts()
  await end()
  assert.equal(audio.attempts(), before + 1)
  assert.equal((await status()).hasResumeState, true)
  audio.plug(true)
  await pass(1)
  assert.equal((await status()).surah_number, 2)
})

test('the silence between two repetitions ends without a device: the count stays and it goes on', async (t) => {
  const { audio, end, pass, play, post, status } = await setup(t)
  await post('/playback/mode', { mode: 'hifz_repeat', repeat: 3, pause_s: 5 })
  await play()
  await end()
  audio.plug(false)
  await pass(6)
  assert.deepEqual([(await status()).state, (await status()).error], ['stopped', WHY])
  audio.plug(true)
  await pass(1)
  const { state, hifz } = await status()
  assert.deepEqual([state, hifz.repeat_done, hifz.waiting], ['playing', 1, false])
})

test('whoever stops or chooses something else meanwhile is not overruled', async (t) => {
  const { audio, end, pass, play, post, status } = await setup(t)
  await play(2)
  audio.plug(false)
  await end()
  await post('/playback/stop')
  audio.plug(true)
  await pass(60)
  assert.equal((await status()).state, 'stopped')
})

test('next without a device says so and does not try every surah', async (t) => {
  const { audio, play, post } = await setup(t)
  await play()
  audio.plug(false)
  const before = audio.attempts()
  const reply = await post('/playback/next')
  assert.equal(reply.statusCode, 500)
  assert.equal(reply.json().error, `next: cannot be played: ${WHY}`)
  assert.equal(audio.attempts(), before + 1)
})

test('an engine that does not answer at first keeps the box neither from starting nor from playing later', async (t) => {
  let isStuck = true
  const { post } = await playerFixture(t, {
    spoil: {
      audio: (output) => ({
        ...output,
        setVolume: (volume) =>
          isStuck ? Promise.reject(new Error('it did not answer')) : output.setVolume(volume),
      }),
    },
  })
  isStuck = false
  const played = await post('/playback/play', { path: 'Husary/001.mp3' })
  assert.equal(played.json().state, 'playing')
})
