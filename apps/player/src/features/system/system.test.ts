import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playerFixture, TOKEN } from '../../testing/player-fixture.ts'
import { deviceToken } from './device-token.ts'

test('GET /system tells version, uptime, memory, store and what did not come up', async (t) => {
  const { get } = await playerFixture(t)
  const body = (await get('/system')).json()
  assert.equal(body.version, '0.0.0')
  assert.equal(body.uptime, 1)
  assert.ok(body.free_heap > 0)
  assert.ok(body.nvs.used_entries > 0)
  assert.equal(body.nvs.total_entries, body.nvs.used_entries + body.nvs.free_entries)
  assert.equal(body.nvs.entry_bytes, 4096)
  assert.deepEqual(body.boot_failures, [])
  assert.deepEqual(body.audio, { engine: 'embedded', sink: 'sim', outputs: [] })
  assert.equal(body.board, 'sysfs')
  assert.equal(body.card_present, true)
  assert.equal(body.time_source, 'sntp')
})

test('the device token is 64 hex digits, made once and kept', async (t) => {
  const { db } = await playerFixture(t)
  const first = deviceToken(db)
  assert.match(first.token, /^[0-9a-f]{64}$/)
  assert.equal(first.isNew, true)
  assert.deepEqual(deviceToken(db), { token: first.token, isNew: false })
})

test('no public route gives the token away', async (t) => {
  const { app, get } = await playerFixture(t)
  const paths = Object.keys((await get('/openapi.json')).json().paths)
  assert.ok(paths.length > 10)
  for (const path of paths) {
    const { body } = await app.inject({ method: 'GET', url: path })
    assert.ok(!body.includes(TOKEN), path)
  }
})

const OWNERS_READS = [
  '/api/backup',
  '/api/debug/screenshot',
  '/api/hifz/learners',
  '/api/hifz/learners/{id}/export',
  '/api/hifz/learners/{id}/progress',
  '/api/hifz/learners/{id}/today',
  '/api/rfid/cards',
  '/api/rfid/scan',
  '/api/settings/soc',
]

test('every mutation of the route table, and what the owner alone may read, refuses without the token', async (t) => {
  const { app, get } = await playerFixture(t)
  const { paths } = (await get('/openapi.json')).json() as { paths: Record<string, object> }
  const refused: string[] = []
  let mutations = 0
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of Object.keys(methods)) {
      const url = path.replace(/\{\w+\}/, '1')
      const reply = await app.inject({ method: method.toUpperCase() as 'POST', url })
      if (method === 'get' && reply.statusCode !== 401) continue
      assert.equal(reply.statusCode, 401, `${method} ${path}`)
      assert.equal(reply.headers['www-authenticate'], 'Bearer')
      if (method === 'get') refused.push(path)
      else mutations += 1
    }
  }
  assert.ok(mutations > 10)
  assert.deepEqual(refused.sort(), OWNERS_READS)
})

test('what the owner alone may read is kept by no cache', async (t) => {
  const { app } = await playerFixture(t)
  const headers = { authorization: `Bearer ${TOKEN}` }
  for (const url of ['/api/backup', '/api/hifz/learners', '/api/rfid/cards']) {
    const reply = await app.inject({ url, headers })
    assert.deepEqual([reply.statusCode, reply.headers['cache-control']], [200, 'no-store'], url)
  }
})

test('an unknown path under /api is 404 with the error body, elsewhere the dashboard', async (t) => {
  const { app } = await playerFixture(t)
  for (const url of [
    '/api/nope',
    '/api',
    '/api?x=1',
    '/api/',
    '/api/playback',
    '/api/playback/status/x',
  ]) {
    const reply = await app.inject(url)
    assert.equal(reply.statusCode, 404, url)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
  }
  for (const url of ['/', '/favorites', '/deep/link', '/apifoo', '/api-keys/1']) {
    const reply = await app.inject(url)
    assert.equal(reply.statusCode, 200, url)
    assert.match(reply.headers['content-type'] as string, /^text\/html/)
  }
  assert.equal((await app.inject('/..%2f..%2fpackage.json')).body.includes('"name"'), false)
})

test('GET /api/docs is a page that needs nothing from the internet', async (t) => {
  const { app } = await playerFixture(t)
  const page = await app.inject('/api/docs/')
  assert.equal(page.statusCode, 200)
  assert.doesNotMatch(page.body, /src="https?:|href="https?:/)
})
