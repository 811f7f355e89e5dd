import assert from 'node:assert/strict'
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { playerFixture, TOKEN } from '../../testing/player-fixture.ts'
import { DATA_FILES } from './data-files.ts'

test('POST /reset without the token is 401 and forgets nothing', async (t) => {
  const { app, post, get, restarts } = await playerFixture(t)
  await post('/radio/stations', { name: 'one', url: 'http://radio.example/' })
  assert.equal((await app.inject({ method: 'POST', url: '/api/reset' })).statusCode, 401)
  assert.equal((await get('/radio/stations')).json().stations.length, 1)
  assert.deepEqual(restarts, [])
})

test('POST /reset empties every table, and the old token is dead before the reply is out', async (t) => {
  const box = await playerFixture(t)
  const { app, clock, db, post, restarts } = box
  await post('/radio/stations', { name: 'one', url: 'http://radio.example/' })
  await post('/favorites', { type: 'surah', reciter: 'Husary', surah: 1 })
  await post('/schedules', { hour: 5, minute: 0, days: 127, target: { type: 'adhan' } })
  await post('/prayer/config', { lat: 21.4, lng: 39.8, method: 3 })
  await post('/settings/max-volume', { max_volume: 40 })
  await post('/playback/play', { path: 'Husary/001.mp3' })
  await post('/playback/pause')

  const reply = await post('/reset')
  assert.equal(reply.statusCode, 200, reply.body)
  assert.deepEqual(reply.json(), { success: true })
  assert.match(box.token(), /^[0-9a-f]{64}$/)
  assert.notEqual(box.token(), TOKEN)
  assert.equal((await post('/playback/stop')).statusCode, 401)
  assert.equal((await post('/playback/stop', undefined, box.token())).statusCode, 200)
  assert.deepEqual(restarts, [])
  clock.advance(500)
  assert.deepEqual(restarts, ['box'])

  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  for (const { name } of tables) {
    const rows = db.prepare(`SELECT * FROM "${name}"`).all()
    if (name !== 'device') assert.deepEqual(rows, [], String(name))
    else
      assert.deepEqual(
        rows.map((row) => ({ ...row })),
        [{ key: 'token', value: box.token() }],
      )
  }
  await app.close()
})

test('after POST /reset nothing of the old state is left in the files of the store', async (t) => {
  const { dataDir, post } = await playerFixture(t)
  const name = 'a-name-nobody-else-has'
  await post('/radio/stations', { name, url: 'http://radio.example/' })
  await post('/reset')
  for (const file of ['player.db', 'player.db-wal']) {
    const content = readFileSync(path.join(dataDir, file), 'latin1')
    assert.ok(!content.includes(name), file)
    assert.ok(!content.includes(TOKEN), file)
  }
})

test('POST /reset: the new token counts also where the store could not be tidied up', async (t) => {
  const box = await playerFixture(t)
  for (const name of ['one', 'two'])
    await box.post('/radio/stations', { name, url: `http://radio.example/${name}` })
  // While something reads, SQLite does not rewrite a store.
  const reading = box.db.prepare('SELECT name FROM stations').iterate()
  reading.next()
  const reply = await box.post('/reset')
  assert.equal(reply.statusCode, 200, reply.body)
  assert.equal((await box.post('/playback/stop')).statusCode, 401)
  assert.equal((await box.post('/playback/stop', undefined, box.token())).statusCode, 200)
  box.clock.advance(500)
  assert.deepEqual(box.restarts, ['box'])
})

test('POST /reset removes what is the owner’s and leaves what is not the player’s', async (t) => {
  const { dataDir, post } = await playerFixture(t)
  for (const name of [...Object.keys(DATA_FILES), 'card']) {
    if (DATA_FILES[name] === 'emptied') continue
    if (/\./.test(name) || name === 'mqtt-id') writeFileSync(path.join(dataDir, name), 'old')
    else {
      mkdirSync(path.join(dataDir, name), { recursive: true })
      writeFileSync(path.join(dataDir, name, 'file'), 'old')
    }
  }
  await post('/reset')
  const stays = Object.keys(DATA_FILES).filter((name) => DATA_FILES[name] !== 'removed')
  assert.deepEqual(readdirSync(dataDir).sort(), [...stays, 'card'].sort())
})

test('whatever the sources write into the data directory has been decided on', () => {
  const sources = fileURLToPath(new URL('../../', import.meta.url))
  const named = globSync('**/*.ts', { cwd: sources, exclude: ['**/*.test.ts', '**/testing/**'] })
    .map((file) => readFileSync(path.join(sources, file), 'utf8'))
    .flatMap((source) => [...source.matchAll(/\b(?:dataDir|PLAYER_DATA), '([a-z][^']*)'/g)])
    .map(([, name = '']) => name)
  assert.ok(named.length >= 6, `found ${named}`)
  for (const name of named) assert.ok(DATA_FILES[name], `${name} is in no list: data-files.ts`)
})
