import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { startRadio } from '../../adapters/testing/radio-server.ts'
import { listen, serve } from '../../testing/local-server.ts'
import { playerFixture } from '../../testing/player-fixture.ts'

const CAIRO = { name: 'Cairo', url: 'http://radio.example/live' }

test('POST /radio/stations saves, answers the record and tells everyone once', async (t) => {
  const { get, news, post } = await playerFixture(t)
  news()
  const saved = (await post('/radio/stations', CAIRO)).json()
  assert.deepEqual([saved.success, saved.name, saved.url], [true, CAIRO.name, CAIRO.url])
  assert.deepEqual(news(), ['stations'])
  const { stations } = (await get('/radio/stations')).json()
  assert.deepEqual(
    stations.map((one: { id: number }) => one.id),
    [saved.id],
  )
})

test('one address is one station, also when there are as many as the box takes', async (t) => {
  const { db, get, post } = await playerFixture(t)
  await post('/radio/stations', CAIRO)
  await post('/radio/stations', { ...CAIRO, name: 'Holy Quran Radio' })
  const { stations } = (await get('/radio/stations')).json()
  assert.deepEqual(
    stations.map((one: { name: string }) => one.name),
    ['Holy Quran Radio'],
  )

  db.exec(`WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
    INSERT INTO stations (name, url, created_at)
    SELECT 'n', 'http://radio.example/' || i, 0 FROM n`)
  const two = { text: ['#EXTM3U', 'http://a.example/', 'http://b.example/'].join('\n') }
  const refused = await post('/radio/import', two)
  assert.equal(refused.statusCode, 409, refused.body)
  assert.match(refused.json().error, /^there are 4999 stations already, of 5000/)
  const last = { name: 'a', url: 'http://a.example/' }
  assert.equal((await post('/radio/stations', last)).statusCode, 200, 'none of the two was kept')
  assert.equal(
    (await post('/radio/stations', { ...last, url: 'http://b.example/' })).statusCode,
    409,
  )
  assert.equal((await post('/radio/stations', CAIRO)).statusCode, 200)
})

test('PATCH /radio/stations/:id edits; another station’s address is refused', async (t) => {
  const { patch, post } = await playerFixture(t)
  const { id } = (await post('/radio/stations', CAIRO)).json()
  await post('/radio/stations', { name: 'Other', url: 'http://other.example/' })
  assert.equal((await patch(`/radio/stations/${id}`, { name: 'New' })).json().name, 'New')
  const taken = await patch(`/radio/stations/${id}`, { url: 'http://other.example/' })
  assert.deepEqual([taken.statusCode, taken.json().error], [400, 'url: is already saved as Other'])
  assert.equal((await patch(`/radio/stations/${id}`, {})).statusCode, 400)
  assert.equal((await patch('/radio/stations/999', { name: 'x' })).statusCode, 404)
})

test('DELETE /radio/stations/:id removes; an unknown id is 404', async (t) => {
  const { del, post } = await playerFixture(t)
  const { id } = (await post('/radio/stations', CAIRO)).json()
  assert.equal((await del(`/radio/stations/${id}`)).statusCode, 200)
  assert.equal((await del(`/radio/stations/${id}`)).statusCode, 404)
})

for (const [body, error] of [
  [{ name: 'x' }, /^url: is required/],
  [{ url: CAIRO.url }, /^name: is required/],
  [{ ...CAIRO, name: '   ' }, /^name:/],
  [{ ...CAIRO, name: '\u200b\u200d' }, /^name: must have letters that can be seen/],
  [{ ...CAIRO, name: '\u3164\ufe0f' }, /^name: must have letters that can be seen/],
  [{ ...CAIRO, name: 'a\0b' }, /^name: must be text without NUL/],
  [{ ...CAIRO, name: '\ud800' }, /^name: must be text without NUL/],
  [{ ...CAIRO, url: 'javascript:alert(1)' }, /^url:/],
  [{ ...CAIRO, url: 'http://u:p@radio.example/' }, /^url:/],
  [{ ...CAIRO, url: 7 }, /^url:/],
] as [object, RegExp][]) {
  test(`POST /radio/stations refuses ${JSON.stringify(body)}`, async (t) => {
    const { get, post } = await playerFixture(t)
    const reply = await post('/radio/stations', body)
    assert.equal(reply.statusCode, 400)
    assert.match(reply.json().error, error)
    assert.deepEqual((await get('/radio/stations')).json().stations, [])
  })
}

test('POST /radio/import saves what is a station and says why the rest is not', async (t) => {
  const { news, post } = await playerFixture(t)
  news()
  const text = '#EXTM3U\n#EXTINF:-1,Cairo\nhttp://radio.example/live\nfile:///etc/passwd\n'
  const reply = (await post('/radio/import', { text })).json()
  assert.deepEqual(
    reply.added.map((one: { name: string }) => one.name),
    ['Cairo'],
  )
  assert.deepEqual(reply.skipped, [{ url: 'file:///etc/passwd', reason: 'must be http or https' }])
  assert.deepEqual(news(), ['stations'])
})

test('POST /radio/import of a text without stations is 400', async (t) => {
  const { post } = await playerFixture(t)
  const reply = await post('/radio/import', { text: '#EXTM3U\n' })
  assert.deepEqual([reply.statusCode, reply.json().error.split(':')[0]], [400, 'text'])
})

test('POST /radio/check tells what an address is and saves nothing', async (t) => {
  const radio = await startRadio()
  t.after(() => radio.close())
  const { get, post } = await playerFixture(t)
  assert.deepEqual((await post('/radio/check', { url: radio.url })).json(), {
    success: true,
    playable: true,
    content_type: 'audio/mpeg',
    name: 'Test radio',
    bitrate: 0,
    reason: '',
  })
  assert.deepEqual((await get('/radio/stations')).json(), { stations: [] })
})

test('POST /radio/check finds nothing playable that the engine does not decode', async (t) => {
  const types: Record<string, string> = {
    '/aac': 'audio/aacp',
    '/hls': 'application/vnd.apple.mpegurl',
  }
  const url = await serve(t, ({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': types[url] }).end('#EXTM3U\n#EXT-X-VERSION:3\n')
  })
  const { post } = await playerFixture(t)
  for (const path of Object.keys(types)) {
    const { playable, reason } = (await post('/radio/check', { url: url + path })).json()
    assert.equal(playable, false)
    assert.match(reason, /is not supported by the embedded engine/)
  }
})

test('POST /radio/check says why an address cannot be played', async (t) => {
  const page = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<p>no sound here')
  })
  const port = await listen(t, page)
  const { post } = await playerFixture(t)
  const check = async (url: string) => (await post('/radio/check', { url })).json()
  const html = await check(`http://127.0.0.1:${port}/`)
  assert.equal(html.playable, false)
  assert.match(html.reason, /text\/html/)
  page.close()
  page.closeAllConnections()
  const gone = await check(`http://127.0.0.1:${port}/`)
  assert.equal(gone.playable, false)
  assert.notEqual(gone.reason, '')
  const bad = await post('/radio/check', { url: 'ftp://radio.example' })
  assert.equal(bad.statusCode, 400)
  assert.match(bad.json().error, /^url: /)
  assert.equal((await post('/radio/check', { url: 'http://a.example' }, 'wrong')).statusCode, 401)
})
