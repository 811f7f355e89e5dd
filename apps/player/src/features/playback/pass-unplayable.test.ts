import assert from 'node:assert/strict'
import { test } from 'node:test'
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
