import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type FixtureOptions, playerFixture, TOKEN } from '../../testing/player-fixture.ts'
import { GRACE_MS } from './domain/presence.ts'

const A = '04A1B2C3D4E5F6'
const B = '04D4E5F6'
const surah = (number: number) => ({ type: 'surah', reciter: 'Husary', surah: number })
const FILES = ['Husary/001.mp3', 'Husary/002.mp3', 'Husary/114.mp3', 'Adhan/makkah.mp3']

async function box(t: TestContext, options: FixtureOptions = {}) {
  const fixture = await playerFixture(t, { files: FILES, ...options })
  const { clock, get, post, reader, settled } = fixture
  const step = async () => {
    await settled()
    const { state, surah_number } = (await get('/playback/status')).json()
    return `${state} ${surah_number}`
  }
  fixture.seen.splice(0)
  return {
    ...fixture,
    async register(uid: string, binding: object, more: object = {}) {
      const reply = await post('/rfid/cards', { uid, name: `card ${uid}`, binding, ...more })
      assert.equal(reply.statusCode, 200, reply.body)
      fixture.seen.splice(0)
    },
    /** Puts the card down, and answers what plays then. */
    put(uid: string) {
      reader.put(uid)
      return step()
    },
    /** Lifts the card for good, and answers what plays then. */
    lift() {
      reader.lift()
      clock.advance(GRACE_MS)
      return step()
    },
    playing: step,
    policy: (policy: string) => post('/settings/card-removal', { policy }),
    status: async () => (await get('/playback/status')).json(),
    of: (event: string) => fixture.seen.filter((one) => one.event === event).map((one) => one.data),
  }
}

test('a tap plays what the card is bound to and is told as nfc, before the sound', async (t) => {
  const { of, put, register, seen } = await box(t)
  await register(A, surah(2))
  assert.equal(await put(A), 'playing 2')
  assert.deepEqual(of('nfc'), [{ uid: A, uid_len: 7, registered: true, name: `card ${A}` }])
  assert.deepEqual(
    seen.map(({ event }) => event),
    ['nfc', 'cards', 'playback'],
  )
})

test('a tap of an unknown card is told and plays nothing', async (t) => {
  const { of, put } = await box(t)
  assert.equal(await put(B), 'stopped 0')
  assert.deepEqual(of('nfc'), [{ uid: B, uid_len: 4, registered: false, name: '' }])
  assert.deepEqual(of('cards'), [])
})

test('a tap is noted in the card', async (t) => {
  const { clock, db, put, register } = await box(t)
  await register(A, surah(1))
  clock.advance(5_000)
  await put(A)
  const row = db.prepare('SELECT created_at, last_tapped FROM nfc_cards').get()
  assert.equal((row?.last_tapped as number) - (row?.created_at as number), 5)
})

for (const [what, binding, expected] of [
  ['surah', surah(114), ['playing', 'Husary/114.mp3']],
  ['path', { type: 'path', path: 'Husary/001.mp3' }, ['playing', 'Husary/001.mp3']],
  [
    'stream',
    { type: 'stream', url: 'http://radio.example/live' },
    ['buffering', 'http://radio.example/live'],
  ],
  ['favorite', { type: 'favorite', id: 1 }, ['playing', 'Husary/002.mp3']],
  ['action', { type: 'action', action: 'stop' }, ['stopped', '']],
] as const) {
  test(`a card can be bound to: ${what}`, async (t) => {
    const { post, put, register, status } = await box(t)
    await post('/favorites', surah(2))
    await register(A, binding)
    await put(A)
    const { state, track } = await status()
    assert.deepEqual([state, track], expected)
  })
}

test('a card can be bound to the adhan, and to an advance mode with what it plays', async (t) => {
  const { put, register, status } = await box(t)
  await register(A, { ...surah(1), mode: { mode: 'hifz_repeat', repeat: 3 } })
  await register(B, { type: 'adhan' })
  await put(A)
  assert.equal((await status()).hifz.repeat_target, 3)
  await put(B)
  assert.equal((await status()).adhan, 'manual')
})

for (const [second_tap, states] of [
  ['toggle', ['playing 1', 'paused 1', 'playing 1']],
  ['restart', ['playing 1', 'playing 1', 'playing 1']],
  ['next', ['playing 1', 'playing 2', 'playing 114']],
  ['ignore', ['playing 1', 'playing 1', 'playing 1']],
] as const) {
  test(`second tap ${second_tap}: ${states.join(', ')}`, async (t) => {
    const { audio, lift, put, register } = await box(t)
    await register(A, surah(1), { second_tap })
    const seen: string[] = []
    for (const _ of states) {
      seen.push(await put(A))
      audio.playTo(20_000)
      await lift()
    }
    assert.deepEqual(seen, states)
    const starts = { toggle: 1, restart: 3, next: 3, ignore: 1 }
    assert.equal(audio.loaded.length, starts[second_tap])
  })
}

test('a tap after somebody chose something else plays the card again', async (t) => {
  const { lift, post, put, register } = await box(t)
  await register(A, surah(1))
  await put(A)
  await lift()
  await post('/playback/play', { path: 'Husary/114.mp3' })
  assert.equal(await put(A), 'playing 1')
})

test('what follows by itself still belongs to the card', async (t) => {
  const { audio, lift, put, playing, register } = await box(t)
  await register(A, { ...surah(1), mode: { mode: 'continuous' } })
  await put(A)
  await lift()
  audio.end()
  assert.equal(await playing(), 'playing 2')
  assert.equal(await put(A), 'paused 2')
})

test('an action card leaves what plays to the card that started it', async (t) => {
  const { lift, put, register, status } = await box(t)
  await register(A, surah(1))
  await register(B, { type: 'action', action: 'volume_up' })
  await put(A)
  await lift()
  for (const volume of [55, 60]) {
    await put(B)
    assert.equal((await status()).volume, volume)
    await lift()
  }
  assert.equal(await put(A), 'paused 1')
})

for (const [policy, lifted, back] of [
  ['continue', 'playing 1', 'paused 1'],
  ['pause', 'paused 1', 'playing 1'],
  ['stop', 'stopped 0', 'playing 1'],
] as const) {
  test(`card_removal ${policy}: lifted ${lifted}, put back ${back}`, async (t) => {
    const box_ = await box(t)
    await box_.policy(policy)
    await box_.register(A, surah(1))
    await box_.put(A)
    assert.equal(await box_.lift(), lifted)
    assert.equal(await box_.put(A), back)
  })
}

test('card_removal pause: a card that ignores a second tap goes on when it is put back', async (t) => {
  const { audio, lift, policy, put, register } = await box(t)
  await policy('pause')
  await register(A, surah(1), { second_tap: 'ignore' })
  await put(A)
  assert.equal(await lift(), 'paused 1')
  assert.equal(await put(A), 'playing 1')
  assert.equal(audio.loaded.length, 1)
})

test('a card that flickers at the rim of the field is neither lifted nor tapped again', async (t) => {
  const { clock, of, playing, policy, put, reader, register } = await box(t)
  await policy('stop')
  await register(A, surah(1))
  await put(A)
  for (let flicker = 0; flicker < 20; flicker += 1) {
    reader.lift()
    clock.advance(GRACE_MS - 1)
    reader.put(A)
    clock.advance(150)
  }
  assert.equal(await playing(), 'playing 1')
  assert.equal(of('nfc').length, 1)
})

test('lifting a card that started nothing ends nothing', async (t) => {
  const { lift, policy, post, put } = await box(t)
  await policy('stop')
  await post('/playback/play', { path: 'Husary/114.mp3' })
  await put(B)
  assert.equal(await lift(), 'playing 114')
})

test('lifting a card does not cut the adhan short: what it interrupted ends after it', async (t) => {
  const { audio, lift, playing, policy, post, put, register, status } = await box(t)
  await policy('pause')
  await register(A, surah(1))
  await put(A)
  await post('/prayer/test-adhan')
  await lift()
  const { state, adhan } = await status()
  assert.deepEqual([state, adhan], ['playing', 'manual'])
  audio.end()
  await playing()
  assert.equal(await playing(), 'paused 1')
})

test('a card that lay on the reader when the box was switched on plays nothing', async (t) => {
  const { lift, of, playing, put, read } = await withLyingCard(t)
  assert.equal(await playing(), 'stopped 0')
  assert.equal((await read()).uid, '')
  await lift()
  assert.equal(await put(A), 'playing 1')
  assert.equal(of('nfc').length, 1)
})

async function withLyingCard(t: TestContext) {
  const first = await box(t)
  await first.register(A, surah(1))
  await first.close()
  const second = await box(t, { dataDir: first.dataDir, cardOnReader: A })
  const headers = { authorization: `Bearer ${TOKEN}` }
  return {
    ...second,
    read: async () => (await second.app.inject({ url: '/api/rfid/scan', headers })).json(),
  }
}

test('a reader that vanishes is told, stops nothing, and works again when it is back', async (t) => {
  const { get, of, playing, policy, put, reader, register } = await box(t)
  const system = async () => (await get('/system')).json()
  await policy('stop')
  await register(A, surah(1))
  await put(A)
  reader.unplug('the reader was unplugged')
  assert.equal(await playing(), 'playing 1')
  assert.deepEqual((await system()).reader, { adapter: 'none', present: false, name: '' })
  assert.deepEqual((await system()).boot_failures, [
    {
      component: 'nfc',
      error: 'the reader was unplugged; cards cannot be tapped until a reader answers',
    },
  ])
  reader.plugIn(A)
  assert.equal(await playing(), 'playing 1')
  assert.equal((await system()).reader.present, true)
  assert.deepEqual((await system()).boot_failures, [])
  assert.equal(of('system').length, 2)
  assert.equal(of('nfc').length, 1)
  await register(B, surah(114))
  assert.equal(await put(B), 'playing 114')
})

test('a reader that comes back without the card tells that it was lifted', async (t) => {
  const { clock, playing, policy, put, reader, register } = await box(t)
  await policy('stop')
  await register(A, surah(1))
  await put(A)
  reader.unplug()
  reader.plugIn()
  clock.advance(GRACE_MS)
  assert.equal(await playing(), 'stopped 0')
})

test('a card whose surah is not on the card any more is logged, told its owner and stops nobody', async (t) => {
  const logTo: string[] = []
  const { get, of, post, put, register } = await box(t, { logTo })
  const failures = async () => (await get('/system')).json().boot_failures
  await register(A, { type: 'surah', reciter: 'Husary', surah: 3 })
  await post('/playback/play', { path: 'Husary/114.mp3' })
  assert.equal(await put(A), 'playing 114')
  assert.ok(logTo.some((line) => line.includes('surah: 3 of Husary is not on the card')))
  const error = 'the card that was tapped last plays nothing: surah: 3 of Husary is not on the card'
  assert.deepEqual(await failures(), [{ component: 'cards', error }])
  assert.equal(of('system').length, 1)
  await register(B, surah(1))
  assert.equal(await put(B), 'playing 1')
  assert.deepEqual(await failures(), [])
})

test('that a card plays nothing is told no more once it is bound anew or removed', async (t) => {
  const { app, get, put, lift, register, of } = await box(t)
  const failures = async () => (await get('/system')).json().boot_failures.length
  const headers = { authorization: `Bearer ${TOKEN}` }
  const lost = { type: 'surah', reciter: 'Husary', surah: 3 }
  for (const mend of [
    () => register(A, surah(1)),
    () => app.inject({ method: 'DELETE', url: `/api/rfid/cards/${A}`, headers }),
  ]) {
    await register(A, lost)
    await put(A)
    await lift()
    assert.equal(await failures(), 1)
    await register(B, surah(2))
    assert.equal(await failures(), 1, 'another card says nothing of it')
    await mend()
    assert.equal(await failures(), 0)
  }
  assert.equal(of('system').length, 1)
})

test('a card that asks for the next surah where none is makes the box no trouble', async (t) => {
  const { get, put, register } = await box(t)
  await register(A, { type: 'action', action: 'next' })
  await put(A)
  assert.deepEqual((await get('/system')).json().boot_failures, [])
})

test('on a full disk a tap plays all the same', async (t) => {
  const { db, of, put, register } = await box(t)
  await register(A, surah(2))
  db.exec('PRAGMA query_only = ON')
  assert.equal(await put(A), 'playing 2')
  assert.equal(of('nfc').length, 1)
})
