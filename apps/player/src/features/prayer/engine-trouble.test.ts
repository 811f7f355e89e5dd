import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playerFixture } from '../../testing/player-fixture.ts'

test('the adhan sounds also where what it interrupts has ended in the same moment, or the engine has died', async (t) => {
  const { audio, get, post } = await playerFixture(t)
  await post('/playback/play', { path: 'Husary/001.mp3' })
  audio.output.pause = () => Promise.reject(new Error('nothing is loaded'))
  const reply = await post('/prayer/test-adhan')
  assert.equal(reply.statusCode, 200, reply.body)
  const { adhan } = (await get('/playback/status')).json()
  assert.equal(adhan, 'manual')
})
