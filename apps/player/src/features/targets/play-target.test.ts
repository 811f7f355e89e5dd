import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Target } from '@manara/player-contract/target'
import { playerFixture } from '../../testing/player-fixture.ts'

const URL = 'http://radio.example/live'

/** Each target is set off by a schedule at the next full minute. */
async function box(t: TestContext) {
  const fixture = await playerFixture(t)
  return {
    ...fixture,
    async setOff(target: Target, volume?: number) {
      const hour = new Date(fixture.wall.now() + 60_000).getUTCHours()
      const minute = new Date(fixture.wall.now() + 60_000).getUTCMinutes()
      const reply = await fixture.post('/schedules', {
        ...{ hour, minute, days: 127, target },
        ...(volume !== undefined && { volume }),
      })
      assert.equal(reply.statusCode, 200, reply.body)
      fixture.clock.advance(60_000)
      await fixture.settled()
      const { schedules } = (await fixture.get('/schedules')).json()
      return schedules.at(-1).last_result
    },
    status: async () => (await fixture.get('/playback/status')).json(),
  }
}

test('a surah plays, with the mode that goes with it', async (t) => {
  const { setOff, status } = await box(t)
  await setOff({ type: 'surah', reciter: 'Husary', surah: 114, mode: { mode: 'repeat_one' } })
  const { state, surah_number, advance_mode } = await status()
  assert.deepEqual([state, surah_number, advance_mode], ['playing', 114, 'repeat_one'])
})

test('a stream plays under its own name, a path as a file', async (t) => {
  const { setOff, status } = await box(t)
  await setOff({ type: 'stream', url: URL, name: 'Cairo' })
  const stream = await status()
  assert.deepEqual([stream.mode, stream.track, stream.station], ['stream', URL, 'Cairo'])
  await setOff({ type: 'path', path: 'Husary/001.mp3' })
  assert.equal((await status()).surah_number, 1)
})

test('a favorite plays what it stands for; one that is gone says so', async (t) => {
  const { del, post, setOff, status } = await box(t)
  const surah = (await post('/favorites', { type: 'surah', reciter: 'Husary', surah: 2 })).json()
  const stream = (await post('/favorites', { type: 'stream', url: URL, name: 'Cairo' })).json()
  await setOff({ type: 'favorite', id: surah.id })
  assert.equal((await status()).surah_number, 2)
  await setOff({ type: 'favorite', id: stream.id })
  assert.equal((await status()).track, URL)
  const gone: Target = { type: 'favorite', id: surah.id }
  const { id } = (await post('/schedules', { hour: 1, minute: 0, days: 0, target: gone })).json()
  await del(`/favorites/${surah.id}`)
  const refused = await post('/schedules', { hour: 1, minute: 0, days: 0, target: gone })
  assert.match(refused.json().error, /^target\.id:/)
  assert.ok(id)
})

test('an adhan sounds and is not tied to a prayer', async (t) => {
  const { setOff, status } = await box(t)
  await setOff({ type: 'adhan' })
  const { state, adhan } = await status()
  assert.deepEqual([state, adhan], ['playing', 'manual'])
})

test('pause, resume, next, prev and stop do what their routes do', async (t) => {
  const { post, setOff, status } = await box(t)
  await post('/playback/play', { path: 'Husary/001.mp3' })
  const act = async (action: Target['action']) => {
    await setOff({ type: 'action', action })
    const { state, surah_number } = await status()
    return [state, surah_number]
  }
  assert.deepEqual(await act('pause'), ['paused', 1])
  assert.deepEqual(await act('resume'), ['playing', 1])
  assert.deepEqual(await act('next'), ['playing', 2])
  assert.deepEqual(await act('prev'), ['playing', 1])
  assert.deepEqual(await act('stop'), ['stopped', 0])
  assert.deepEqual(await act('resume'), ['playing', 1], 'what was stopped goes on')
})

test('volume steps are 5 and stay within 0 and the limit', async (t) => {
  const { post, setOff, status } = await box(t)
  await post('/settings/max-volume', { max_volume: 58 })
  const volumes: number[] = []
  for (const action of ['volume_up', 'volume_up', 'volume_down'] as const) {
    await setOff({ type: 'action', action })
    volumes.push((await status()).volume)
  }
  assert.deepEqual(volumes, [55, 58, 53])
  await post('/playback/volume', { volume: 3 })
  await setOff({ type: 'action', action: 'volume_down' })
  assert.equal((await status()).volume, 0)
})

test('an adhan is as loud as its schedule says, and what it interrupts keeps its own volume', async (t) => {
  const { audio, post, setOff, settled, status } = await box(t)
  await post('/playback/volume', { volume: 10 })
  await post('/playback/play', { path: 'Husary/001.mp3' })
  assert.equal((await setOff({ type: 'adhan' }, 80)).outcome, 'fired')
  assert.deepEqual([(await status()).adhan, (await status()).volume], ['manual', 80])
  audio.end()
  await settled()
  assert.deepEqual([(await status()).surah_number, (await status()).volume], [1, 10])
  assert.deepEqual(audio.whileSounding, [])
})

test('next and prev bring their volume with the surah, stop and pause set it in the silence after', async (t) => {
  const { audio, post, setOff, status } = await box(t)
  await post('/playback/volume', { volume: 10 })
  await post('/playback/play', { path: 'Husary/001.mp3' })
  for (const [index, action] of (['next', 'prev', 'pause', 'resume', 'stop'] as const).entries()) {
    assert.equal((await setOff({ type: 'action', action }, 50 + index)).outcome, 'fired')
    assert.equal((await status()).volume, 50 + index)
  }
  assert.deepEqual(
    audio.loaded.map(({ volume }) => volume),
    [undefined, 50, 51],
  )
  assert.deepEqual(audio.whileSounding, [])
  await post('/settings/max-volume', { max_volume: 40 })
  await setOff({ type: 'action', action: 'next' }, 80)
  assert.equal((await status()).volume, 40)
  await post('/playback/play', { path: 'Husary/114.mp3' })
  assert.equal((await setOff({ type: 'action', action: 'next' }, 20)).outcome, 'failed')
  assert.equal((await status()).volume, 40, 'what is refused changes nothing')
})

test('an action that cannot be done is told where its owner looks', async (t) => {
  const { setOff } = await box(t)
  const next = await setOff({ type: 'action', action: 'next' })
  assert.deepEqual([next.outcome, next.reason.slice(0, 5)], ['failed', 'next:'])
  const sleep = await setOff({ type: 'action', action: 'sleep' })
  assert.equal(sleep.outcome, 'failed')
  assert.match(sleep.reason, /cannot sleep/)
})
