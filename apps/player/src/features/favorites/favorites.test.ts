import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playerFixture } from '../../testing/player-fixture.ts'

const SURAH = { type: 'surah', reciter: 'Husary', surah: 2 }
const STREAM = { type: 'stream', url: 'http://radio.example/live', name: 'Cairo' }

test('POST /favorites adds, answers the record and tells everyone once', async (t) => {
  const { get, news, post } = await playerFixture(t)
  news()
  const added = (await post('/favorites', SURAH)).json()
  assert.equal(added.success, true)
  assert.deepEqual(news(), ['favorites'])
  const { favorites } = (await get('/favorites')).json()
  assert.deepEqual(favorites, [
    {
      id: added.id,
      type: 'surah',
      reciter: 'Husary',
      surah: 2,
      url: '',
      name: 'Al-Baqarah',
      play_count: 0,
      last_played: null,
      created_at: favorites[0].created_at,
    },
  ])
})

test('POST /favorites of one that is there returns it, also when there are as many as it takes', async (t) => {
  const { db, del, get, post } = await playerFixture(t)
  const first = (await post('/favorites', STREAM)).json()
  const second = (await post('/favorites', { ...STREAM, name: 'Other' })).json()
  assert.equal(second.id, first.id)
  assert.equal((await get('/favorites')).json().favorites.length, 1)

  db.exec(`WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO favorites (type, reciter, surah, url, name, created_at)
    SELECT 'stream', '', 0, 'http://radio.example/' || i, 'n', 0 FROM n`)
  for (const url of ['/favorites', '/favorites/toggle']) {
    const { statusCode, body } = await post(url, SURAH)
    assert.deepEqual([statusCode, /^\{"error":"there are 5000/.test(body)], [409, true], body)
  }
  assert.equal((await post('/favorites', STREAM)).json().id, first.id)
  await del(`/favorites/${first.id}`)
  assert.equal((await post('/favorites', SURAH)).statusCode, 200)
})

test('POST /favorites/toggle adds, then removes', async (t) => {
  const { get, post } = await playerFixture(t)
  const on = (await post('/favorites/toggle', SURAH)).json()
  const off = (await post('/favorites/toggle', SURAH)).json()
  assert.deepEqual([on.added, off.added, off.id === on.id], [true, false, true])
  assert.deepEqual((await get('/favorites')).json().favorites, [])
})

test('DELETE /favorites/:id removes; an unknown id is 404', async (t) => {
  const { del, post } = await playerFixture(t)
  const { id } = (await post('/favorites', SURAH)).json()
  assert.equal((await del(`/favorites/${id}`)).statusCode, 200)
  for (const unknown of [id, 'abc', '-1', '1e3', '%00']) {
    const reply = await del(`/favorites/${unknown}`)
    assert.equal(reply.statusCode, 404, `${unknown}: ${reply.body}`)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
  }
})

test('playing a favorite counts, repeating it by itself does not', async (t) => {
  const { audio, get, post, settled } = await playerFixture(t)
  await post('/favorites', SURAH)
  await post('/favorites', STREAM)
  const counts = async () =>
    (await get('/favorites')).json().favorites.map((one: { play_count: number }) => one.play_count)
  await post('/playback/mode', { mode: 'repeat_one' })
  await post('/playback/play', { path: 'Husary/002.mp3' })
  audio.end()
  await settled()
  await post('/playback/play', { url: STREAM.url })
  await post('/playback/play', { path: 'Husary/001.mp3' })
  assert.deepEqual(await counts(), [1, 1])
})

test('a reciter whose name is spelled with its accents apart is the same, and is counted', async (t) => {
  const { get, post } = await playerFixture(t, { files: ['Abdallāh/001.mp3'] })
  const [together, apart] = (['NFC', 'NFD'] as const).map((form) => ({
    ...{ type: 'surah', reciter: 'Abdallāh'.normalize(form), surah: 1 },
  }))
  const { id } = (await post('/favorites', apart)).json()
  await post('/playback/play', { path: 'Abdallāh/001.mp3' })
  const { favorites } = (await get('/favorites')).json()
  assert.deepEqual([favorites.length, favorites[0].play_count], [1, 1])
  assert.deepEqual((await post('/favorites/toggle', together)).json(), {
    ...{ success: true, added: false, id },
  })
})

test('favorites outlive a restart', async (t) => {
  const first = await playerFixture(t)
  await first.post('/favorites', SURAH)
  await first.close()
  const second = await playerFixture(t, { dataDir: first.dataDir })
  assert.equal((await second.get('/favorites')).json().favorites.length, 1)
})

const REFUSED: [body: object, error: RegExp][] = [
  [{}, /^type:/],
  [{ type: 'song' }, /^type:/],
  [{ type: 'surah', surah: 2 }, /^reciter: is required/],
  [{ type: 'surah', reciter: 'Husary' }, /^surah: is required/],
  [{ ...SURAH, surah: 115 }, /^surah:/],
  [{ ...SURAH, surah: 0 }, /^surah:/],
  [{ ...SURAH, surah: '2' }, /^surah:/],
  [{ ...SURAH, reciter: '' }, /^reciter:/],
  [{ ...SURAH, url: 'http://a/' }, /^url: goes with/],
  [{ type: 'stream', url: 'http://a/' }, /^name: is required/],
  [{ ...STREAM, url: 'ftp://a/' }, /^url:/],
  [{ ...STREAM, stars: 5 }, /^stars:/],
]

for (const [body, error] of REFUSED) {
  test(`POST /favorites refuses ${JSON.stringify(body)}`, async (t) => {
    const { get, post } = await playerFixture(t)
    for (const url of ['/favorites', '/favorites/toggle']) {
      const reply = await post(url, body)
      assert.equal(reply.statusCode, 400)
      assert.match(reply.json().error, error)
    }
    assert.deepEqual((await get('/favorites')).json().favorites, [])
  })
}
