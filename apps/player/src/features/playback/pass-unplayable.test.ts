import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createManualClock } from '../../testing/manual-clock.ts'
import { playerFixture } from '../../testing/player-fixture.ts'

const FILES = [1, 2, 67, 78, 114].map((n) => `Husary/${String(n).padStart(3, '0')}.mp3`)

test('next and prev pass a file that cannot be played', async (t) => {
  const { audio, cardDir, post } = await playerFixture(t, { files: FILES })
  for (const file of ['002', '078']) audio.unplayable.add(`${cardDir}/Husary/${file}.mp3`)
  await post('/playback/play', { path: 'Husary/001.mp3' })
  for (const [command, surah] of [
    ['next', 67],
    ['next', 114],
    ['prev', 67],
    ['prev', 1],
  ] as const) {
    const reply = await post(`/playback/${command}`)
    assert.deepEqual([reply.statusCode, reply.json().surah_number], [200, surah])
  }
})

/** A worn card that says of each file after seconds that it cannot be read. */
async function wornBox(t: TestContext) {
  const clock = createManualClock()
  const box = await playerFixture(t, {
    files: FILES,
    clock,
    spoil: {
      audio: (output) => ({
        ...output,
        async load(...source) {
          if (box?.audio.unplayable.size) clock.advance(15_000)
          return output.load(...source)
        },
      }),
    },
  })
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  for (const file of FILES.slice(1)) box.audio.unplayable.add(`${box.cardDir}/${file}`)
  return box
}

test('on a card of which nothing can be read, the adhan does not wait for each of its files', async (t) => {
  const box = await wornBox(t)
  await box.post('/playback/mode', { mode: 'continuous' })
  const before = box.audio.attempts()
  box.audio.end()
  await box.settled()
  assert.equal(box.audio.attempts() - before, 2)
  const { state, error } = (await box.get('/playback/status')).json()
  assert.deepEqual([state, error], ['stopped', 'unrecognised format'])
})

test('nor does it while somebody goes on through it, or a queue is full of it', async (t) => {
  const box = await wornBox(t)
  const before = box.audio.attempts()
  const reply = await box.post('/playback/next')
  assert.deepEqual([reply.statusCode, box.audio.attempts() - before], [500, 2])
  assert.equal((await box.get('/playback/status')).json().surah_number, 1)
  for (const path of FILES.slice(1)) await box.post('/playback/queue', { type: 'path', path })
  box.audio.end()
  await box.settled()
  assert.equal(box.audio.attempts() - before, 4)
})

test('where only files are left that cannot be played there is no further surah, and what plays goes on', async (t) => {
  const { audio, cardDir, get, post } = await playerFixture(t, { files: FILES })
  for (const file of ['078', '114']) audio.unplayable.add(`${cardDir}/Husary/${file}.mp3`)
  await post('/playback/play', { path: 'Husary/067.mp3' })
  const reply = await post('/playback/next')
  assert.equal(reply.statusCode, 400, reply.body)
  assert.equal(reply.json().error, 'next: no later surah of Husary is on the card')
  const { state, surah_number } = (await get('/playback/status')).json()
  assert.deepEqual([state, surah_number], ['playing', 67])
})
