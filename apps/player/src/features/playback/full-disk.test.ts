import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playerFixture } from '../../testing/player-fixture.ts'

const FILES = [2, 3, 112, 113].map((n) => `Husary/${String(n).padStart(3, '0')}.mp3`)
const surah = (number: number) => ({ type: 'surah', reciter: 'Husary', surah: number })

test('on a full disk what plays, what is queued and what is chosen go on as ever', async (t) => {
  const box = await playerFixture(t, { files: FILES })
  const status = async () => (await box.get('/playback/status')).json()
  const queued = async () =>
    (await box.get('/playback/queue'))
      .json()
      .queue.map((one: { surah_number: number }) => one.surah_number)
  await box.post('/favorites', { reciter: 'Husary', surah: 112 })
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  await box.post('/playback/queue', surah(113))
  await box.post('/playback/queue', surah(3))
  await box.post('/playback/sleep', { minutes: 10 })
  box.db.exec('PRAGMA query_only = ON')

  await box.post('/playback/seek', { position: 30_000 })
  await box.post('/playback/stop')
  await box.post('/playback/resume-saved')
  const { surah_number, position } = await status()
  assert.deepEqual([surah_number, position], [2, 30_000], 'the place is not lost')

  const played = await box.post('/playback/play', { path: 'Husary/112.mp3' })
  assert.equal(played.statusCode, 200, played.body)
  box.audio.end()
  await box.settled()
  assert.deepEqual([(await status()).surah_number, await queued()], [113, [3]])
  box.audio.end()
  await box.settled()
  assert.deepEqual([(await status()).surah_number, await queued()], [3, []])

  assert.equal((await box.post('/playback/volume', { volume: 33 })).statusCode, 200)
  assert.equal((await box.post('/playback/mode', { mode: 'continuous' })).statusCode, 200)
  const { volume, advance_mode } = await status()
  assert.deepEqual([volume, advance_mode], [33, 'continuous'])

  box.clock.advance(10 * 60_000)
  await box.settled()
  await box.settled()
  assert.equal((await status()).state, 'stopped', 'the sleep timer ends what plays')
  for (const isSet of [true, false]) {
    const reply = isSet
      ? await box.post('/playback/sleep', { minutes: 1 })
      : await box.del('/playback/sleep')
    assert.deepEqual([reply.statusCode, reply.json().active], [200, isSet], reply.body)
  }

  const refused = await box.post('/favorites', surah(113))
  assert.deepEqual([refused.statusCode, Object.keys(refused.json())], [500, ['error']])
  assert.match(refused.json().error, /^the disk takes no changes/)
})
