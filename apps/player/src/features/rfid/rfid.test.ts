import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type FixtureOptions, playerFixture, TOKEN } from '../../testing/player-fixture.ts'

const UID = '04A1B2C3D4E5F6'
const surah = { type: 'surah', reciter: 'Husary', surah: 2 }
const body = { uid: UID, name: 'Al-Baqarah', binding: surah }

async function box(t: TestContext, options: FixtureOptions = {}) {
  const fixture = await playerFixture(t, options)
  fixture.seen.splice(0)
  const headers = { authorization: `Bearer ${TOKEN}` }
  const read = (url: string) => fixture.app.inject({ url: `/api${url}`, headers })
  return {
    ...fixture,
    read,
    list: async () => (await read('/rfid/cards')).json().cards,
    async add(card: object) {
      const reply = await fixture.post('/rfid/cards', card)
      assert.equal(reply.statusCode, 200, reply.body)
      return reply.json()
    },
  }
}

test('POST /rfid/cards registers, answers the record and tells everyone', async (t) => {
  const { add, list, seen, wall } = await box(t)
  const card = {
    ...body,
    second_tap: 'toggle',
    created_at: Math.floor(wall.now() / 1000),
    last_tapped: null,
  }
  assert.deepEqual(await add(body), { success: true, ...card })
  assert.deepEqual(seen, [{ event: 'cards', data: { uid: UID, change: 'added', count: 1 } }])
  assert.deepEqual(await list(), [card])
})

test('the list of cards, which takes the token, is neither in the snapshot nor in an event', async (t) => {
  const { add, box: player, seen } = await box(t)
  await add({ ...body, name: 'Secret name' })
  assert.doesNotMatch(JSON.stringify([player.snapshot(), seen]), /Secret name/)
})

for (const [what, given, kept] of [
  ['lower case', '04a1b2c3d4e5f6', UID],
  ['colons', '04:a1:b2:c3', '04A1B2C3'],
  ['spaces and hyphens', ' 04-a1 b2-c3 ', '04A1B2C3'],
  ['ten bytes', '0102030405060708090a', '0102030405060708090A'],
] as const) {
  test(`POST /rfid/cards with a uid in ${what} keeps ${kept}`, async (t) => {
    const { add } = await box(t)
    assert.equal((await add({ ...body, uid: given })).uid, kept)
  })
}

test('POST /rfid/cards with a known uid binds it anew and keeps its history', async (t) => {
  const { add, clock, list, news, reader, settled } = await box(t)
  const first = await add(body)
  reader.put(UID)
  await settled()
  clock.advance(60_000)
  news()
  const again = await add({ ...body, uid: UID.toLowerCase(), name: 'Other', second_tap: 'next' })
  assert.deepEqual([again.name, again.second_tap], ['Other', 'next'])
  assert.equal(again.created_at, first.created_at)
  assert.equal(again.last_tapped, first.created_at)
  assert.equal((await list()).length, 1)
  assert.deepEqual(news(), ['cards'])
})

const BAD: [field: string, body: unknown][] = [
  ['uid', { ...body, uid: undefined }],
  ['uid', { ...body, uid: '' }],
  ['uid', { ...body, uid: 1234 }],
  ['uid', { ...body, uid: '04A1B2' }],
  ['uid', { ...body, uid: '04A1B2C3D4' }],
  ['uid', { ...body, uid: '04A1B2C3D4E5F60708' }],
  ['uid', { ...body, uid: '04A1B2CG' }],
  ['uid', { ...body, uid: '04/A1/B2/C3' }],
  ['uid', { ...body, uid: '0'.repeat(22) }],
  ['uid', { ...body, uid: ':'.repeat(5000) }],
  ['name', { ...body, name: undefined }],
  ['name', { ...body, name: '  ' }],
  ['name', { ...body, name: 7 }],
  ['name', { ...body, name: 'x'.repeat(201) }],
  ['binding', { ...body, binding: undefined }],
  ['binding', { ...body, binding: 'stop' }],
  ['binding', { ...body, binding: [] }],
  ['binding.type', { ...body, binding: {} }],
  ['binding.type', { ...body, binding: { type: 'song' } }],
  ['binding.surah', { ...body, binding: { ...surah, surah: 115 } }],
  ['binding.surah', { ...body, binding: { ...surah, surah: '2' } }],
  ['binding.reciter', { ...body, binding: { type: 'surah', surah: 2 } }],
  ['binding.url', { ...body, binding: { type: 'stream', url: 'file:///etc/passwd' } }],
  ['binding.path', { ...body, binding: { type: 'path', path: '../secret.mp3' } }],
  ['binding.path', { ...body, binding: { type: 'path', path: 'Husary/003.mp3' } }],
  ['binding.id', { ...body, binding: { type: 'favorite', id: 99 } }],
  ['binding.action', { ...body, binding: { type: 'action', action: 'explode' } }],
  ['binding.action', { ...body, binding: { type: 'action' } }],
  ['binding.mode.mode', { ...body, binding: { ...surah, mode: { mode: 'shuffle' } } }],
  ['second_tap', { ...body, second_tap: 'explode' }],
  ['second_tap', { ...body, second_tap: null }],
  ['colour', { ...body, colour: 'green' }],
  ['body', []],
]

test('POST /rfid/cards: a bad value is 400 naming the field, and nothing is kept', async (t) => {
  const { list, news, post } = await box(t)
  for (const [field, bad] of BAD) {
    const reply = await post('/rfid/cards', JSON.stringify(bad))
    assert.equal(reply.statusCode, 400, `${field}: ${reply.body}`)
    assert.ok(reply.json().error.startsWith(`${field}:`), `${field}: ${reply.body}`)
  }
  assert.deepEqual(await list(), [])
  assert.deepEqual(news(), [])
})

test('PATCH /rfid/cards/{uid} changes what is sent and nothing else', async (t) => {
  const { add, list, news, patch } = await box(t)
  const { success: _, ...card } = await add(body)
  news()
  const reply = await patch('/rfid/cards/04:a1:b2:c3:d4:e5:f6', { second_tap: 'ignore' })
  assert.deepEqual(reply.json(), { success: true, ...card, second_tap: 'ignore' })
  const binding = { type: 'action', action: 'pause' }
  await patch(`/rfid/cards/${UID}`, { name: 'Pause', binding })
  assert.deepEqual(await list(), [{ ...card, second_tap: 'ignore', name: 'Pause', binding }])
  assert.deepEqual(news(), ['cards', 'cards'])
})

test('PATCH /rfid/cards/{uid}: a bad value is 400 naming the field', async (t) => {
  const { add, list, patch } = await box(t)
  await add(body)
  const before = await list()
  for (const [field, bad] of [
    ['name', {}],
    ['name', { name: '' }],
    ['uid', { uid: '04D4E5F6' }],
    ['second_tap', { second_tap: 'twice' }],
    ['binding.id', { binding: { type: 'favorite', id: 99 } }],
    ['last_tapped', { last_tapped: 0 }],
  ] as const) {
    const reply = await patch(`/rfid/cards/${UID}`, bad)
    assert.equal(reply.statusCode, 400, reply.body)
    assert.ok(reply.json().error.startsWith(`${field}:`), reply.body)
  }
  assert.deepEqual(await list(), before)
})

test('DELETE /rfid/cards/{uid} removes it; an unknown uid is 404', async (t) => {
  const { add, del, list, patch, seen } = await box(t)
  await add(body)
  seen.splice(0)
  assert.deepEqual((await del('/rfid/cards/04-A1-B2-C3-D4-E5-F6')).json(), {
    success: true,
    uid: UID,
  })
  assert.deepEqual(seen, [{ event: 'cards', data: { uid: UID, change: 'removed', count: 0 } }])
  assert.deepEqual(await list(), [])
  for (const uid of [UID, '04D4E5F6', 'nonsense', '1', '%00', "' OR 1=1"]) {
    for (const reply of [
      await del(`/rfid/cards/${encodeURIComponent(uid)}`),
      await patch(`/rfid/cards/${encodeURIComponent(uid)}`, { name: 'x' }),
    ]) {
      assert.equal(reply.statusCode, 404, uid)
      assert.match(reply.json().error, /^card .* not found$/)
    }
  }
})

test('cards and the last scan take the token', async (t) => {
  const { app, post } = await box(t)
  for (const url of ['/api/rfid/cards', '/api/rfid/scan']) {
    assert.equal((await app.inject(url)).statusCode, 401, url)
    const wrong = { authorization: `Bearer ${'0'.repeat(64)}` }
    assert.equal((await app.inject({ url, headers: wrong })).statusCode, 401, url)
  }
  assert.equal((await post('/rfid/cards', body, 'wrong')).statusCode, 401)
})

test('GET /rfid/scan before the first tap', async (t) => {
  const { read } = await box(t)
  const empty = { uid: '', uid_len: 0, registered: false, age_ms: -1 }
  assert.deepEqual((await read('/rfid/scan')).json(), empty)
})

test('GET /rfid/scan tells the last tap, how long ago, and whether the card is known by now', async (t) => {
  const { add, clock, reader, read, settled } = await box(t)
  const scan = async () => (await read('/rfid/scan')).json()
  reader.put(UID)
  await settled()
  clock.advance(1_500)
  assert.deepEqual(await scan(), { uid: UID, uid_len: 7, registered: false, age_ms: 1_500 })
  await add(body)
  assert.equal((await scan()).registered, true)
  reader.lift()
  clock.advance(3_600_000)
  assert.equal((await scan()).age_ms, 3_601_500)
  reader.put('01020304')
  await settled()
  assert.deepEqual(await scan(), { uid: '01020304', uid_len: 4, registered: false, age_ms: 0 })
})

test('cards are on disk before the reply: a second start knows them', async (t) => {
  const { add, close, dataDir, list } = await box(t)
  await add(body)
  const before = await list()
  await close()
  const second = await box(t, { dataDir })
  assert.deepEqual(await second.list(), before)
})
