import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { AudioOutput } from '../../ports/audio-output.ts'
import { playerFixture } from '../../testing/player-fixture.ts'

/** A surah that comes to its end by itself while this is asked of the engine, and another that follows. */
async function ending(t: TestContext, asked: 'pause' | 'resume' | 'seek' | 'setSpeed') {
  const box = await playerFixture(t, { files: ['Husary/001.mp3', 'Husary/002.mp3'] })
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  await box.post('/playback/mode', { mode: 'continuous' })
  if (asked === 'resume') await box.post('/playback/pause')
  const output: AudioOutput = box.audio.output
  output[asked] = async () => {
    box.audio.end()
    throw new Error('nothing is loaded')
  }
  return {
    ...box,
    async follows() {
      await box.settled()
      const { state, surah_number, speed } = (await box.get('/playback/status')).json()
      return [state, surah_number, speed]
    },
  }
}

const COMMANDS = [
  ['pause', 'pause', undefined, 'paused', undefined],
  ['resume', 'resume', undefined, 'playing', undefined],
  ['speed', 'setSpeed', { speed: 120 }, 'playing', 120],
] as const

for (const [command, asked, body, state, speed] of COMMANDS) {
  test(`POST /playback/${command} as a surah ends is about the one that follows`, async (t) => {
    const box = await ending(t, asked)
    const reply = await box.post(`/playback/${command}`, body)
    assert.equal(reply.statusCode, 200, reply.body)
    assert.deepEqual(await box.follows(), [state, 2, speed])
  })
}

test('POST /playback/seek as a surah ends is refused, and the next one follows', async (t) => {
  const box = await ending(t, 'seek')
  const reply = await box.post('/playback/seek', { position: 1_000 })
  assert.equal(reply.statusCode, 409, reply.body)
  assert.deepEqual(await box.follows(), ['playing', 2, undefined])
})
