import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { playerFixture } from '../../testing/player-fixture.ts'

const MINUTE = 60_000

async function drowsyBox(t: TestContext) {
  const box = await playerFixture(t)
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  box.audio.playTo(9_000)
  return {
    ...box,
    status: async () => (await box.get('/playback/status')).json(),
    sleep: async () => (await box.get('/playback/sleep')).json(),
    async advance(ms: number) {
      box.clock.advance(ms)
      await box.settled()
      await box.settled()
    },
  }
}

test('POST /playback/sleep fades and stops after its minutes, and the place is kept', async (t) => {
  const box = await drowsyBox(t)
  assert.deepEqual(await box.sleep(), { active: false, in_s: 0, fade_s: 30 })
  const reply = (await box.post('/playback/sleep', { minutes: 10, fade_s: 60 })).json()
  assert.deepEqual(reply, { success: true, active: true, in_s: 600, fade_s: 60 })
  await box.advance(9 * MINUTE - 1)
  assert.deepEqual(box.audio.fades, [])
  await box.advance(1)
  assert.deepEqual(box.audio.fades, [{ level: 0, duration_ms: 60_000 }])
  assert.deepEqual([(await box.status()).state, (await box.sleep()).in_s], ['playing', 60])
  await box.advance(MINUTE)
  const { state, hasResumeState, volume } = await box.status()
  assert.deepEqual([state, hasResumeState, volume], ['stopped', true, 50])
  assert.equal((await box.sleep()).active, false)
  assert.equal((await box.post('/playback/resume-saved')).json().position, 9_000)
})

test('DELETE /playback/sleep calls it off, also while it fades', async (t) => {
  const box = await drowsyBox(t)
  await box.post('/playback/sleep', { minutes: 1 })
  await box.advance(45_000)
  const reply = await box.del('/playback/sleep')
  assert.deepEqual([reply.statusCode, reply.json().active], [200, false])
  assert.deepEqual(box.audio.fades.at(-1), { level: 1, duration_ms: 500 })
  await box.advance(10 * MINUTE)
  assert.equal((await box.status()).state, 'playing')
})

test('a second timer replaces the first', async (t) => {
  const box = await drowsyBox(t)
  await box.post('/playback/sleep', { minutes: 1 })
  await box.post('/playback/sleep', { minutes: 30 })
  await box.advance(5 * MINUTE)
  assert.deepEqual([(await box.status()).state, (await box.sleep()).in_s], ['playing', 25 * 60])
})

test('the adhan is neither faded nor cut short, and what it interrupted does not go on', async (t) => {
  const box = await drowsyBox(t)
  await box.post('/playback/sleep', { minutes: 1 })
  await box.post('/prayer/test-adhan')
  await box.advance(2 * MINUTE)
  const slow = box.audio.fades.filter(({ duration_ms }) => duration_ms === 30_000)
  assert.deepEqual([slow, (await box.status()).adhan], [[], 'manual'])
  box.audio.end()
  await box.settled()
  await box.settled()
  assert.equal((await box.status()).state, 'stopped')
  assert.equal((await box.sleep()).active, false)
})

test('every change is a sleep event', async (t) => {
  const box = await drowsyBox(t)
  box.seen.splice(0)
  await box.post('/playback/sleep', { minutes: 1 })
  await box.advance(MINUTE)
  const told = box.seen.flatMap(({ event, data }) =>
    event === 'sleep' ? [(data as { active: boolean }).active] : [],
  )
  assert.deepEqual(told, [true, false])
})

for (const body of [
  {},
  { minutes: 0 },
  { minutes: 721 },
  { minutes: '5' },
  { minutes: 5, fade_s: 301 },
])
  test(`POST /playback/sleep refuses ${JSON.stringify(body)}`, async (t) => {
    const { post } = await playerFixture(t)
    const reply = await post('/playback/sleep', body)
    assert.equal(reply.statusCode, 400)
    assert.match(reply.json().error, /^(minutes|fade_s)/)
  })
