import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playerFixture } from '../../testing/player-fixture.ts'

const URL = 'http://radio.example/live'

test('a station that never sounded leaves the place in the surah', async (t) => {
  const { audio, post, settled } = await playerFixture(t)
  await post('/playback/play', { path: 'Husary/002.mp3' })
  await post('/playback/seek', { position: 30_000 })
  audio.playTo(35_000)
  await post('/playback/play', { url: URL })
  audio.end('error', 'the station answered 404')
  await settled()
  for (const command of ['resume', 'resume-saved']) {
    const { state, surah_number, position } = (await post(`/playback/${command}`)).json()
    assert.deepEqual([state, surah_number, position], ['playing', 2, 35_000])
    await post('/playback/stop')
  }
})

test('a station that was stopped before it sounded does not make the surah go on by itself', async (t) => {
  const before = await playerFixture(t)
  await before.post('/settings/auto-resume', { enabled: true })
  await before.post('/playback/play', { path: 'Husary/002.mp3' })
  await before.post('/playback/play', { url: URL })
  await before.post('/playback/stop')
  await before.close()
  const again = await playerFixture(t, { dataDir: before.dataDir })
  const { state, hasResumeState } = (await again.get('/playback/status')).json()
  assert.deepEqual([state, hasResumeState], ['stopped', true])
})

test('a station is the place to come back to once it has sounded', async (t) => {
  const { audio, post, settled } = await playerFixture(t)
  await post('/playback/play', { path: 'Husary/002.mp3' })
  await post('/playback/play', { url: URL })
  audio.become('playing')
  await settled()
  audio.end('lost', 'the station is gone')
  await settled()
  const { state, track } = (await post('/playback/resume-saved')).json()
  assert.deepEqual([state, track], ['buffering', URL])
})
