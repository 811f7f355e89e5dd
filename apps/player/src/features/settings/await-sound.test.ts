import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playerFixture } from '../../testing/player-fixture.ts'

const USB = 'alsa:plughw:CARD=USB,DEV=0'
const sysfs = {
  'proc/asound/cards': ' 0 [USB            ]: USB-Audio - USB Speaker\n',
  'proc/asound/pcm': '00-00: USB Audio : USB Audio : playback 1\n',
}

test('a loudspeaker that is switched on after the box is used once it is there, and the failure is gone', async (t) => {
  let isThere = false
  const { audio, clock, get } = await playerFixture(t, { findDevice: () => isThere })
  const failures = async () => (await get('/system')).json().boot_failures
  clock.advance(60_000)
  assert.deepEqual([audio.outputs, (await failures()).length], [[], 1])
  isThere = true
  clock.advance(60_000)
  assert.deepEqual([audio.outputs, await failures()], [['auto'], []])
})

test('sound stays where its owner has sent it', async (t) => {
  const first = await playerFixture(t, { sysfs })
  await first.post('/settings/audio-output', { audio_output: USB })
  await first.close()
  const { dataDir } = first
  const { audio, clock } = await playerFixture(t, { sysfs, dataDir, findDevice: () => true })
  clock.advance(60_000)
  assert.deepEqual(audio.outputs, [USB])
})
