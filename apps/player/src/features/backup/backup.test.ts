import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { MIGRATIONS } from '../../db/migrations.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { playerFixture, TOKEN } from '../../testing/player-fixture.ts'
import { TABLES } from './domain/copied.ts'
import { digestOf } from './make-backup.ts'

type Box = Awaited<ReturnType<typeof playerFixture>>

/** Not text, and not of whole groups of base64. */
const OWN_ADHAN = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256))

const owner = { headers: { authorization: `Bearer ${TOKEN}` } }
const backupOf = async ({ app }: Box) => (await app.inject({ url: '/api/backup', ...owner })).json()
const rowsOf = ({ db }: Box, name: string) =>
  db
    .prepare(`SELECT * FROM "${name}"`)
    .all()
    .map((row) => ({ ...row }))

/** As a family leaves it: something in every table that is copied. */
async function livedIn(t: TestContext) {
  const box = await playerFixture(t)
  const { post, db } = box
  const surah = { type: 'surah', reciter: 'Husary', surah: 1 }
  const said: [string, object][] = [
    ['/settings/max-volume', { max_volume: 40 }],
    ['/settings/language', { language: 'ar' }],
    ['/prayer/config', { lat: 21.4, lng: 39.8, method: 3 }],
    ['/favorites', surah],
    ['/radio/stations', { name: 'one', url: 'http://radio.example/' }],
    ['/schedules', { hour: 5, minute: 0, days: 127, target: { type: 'adhan' } }],
    ['/rfid/cards', { uid: '04A1B2C3', name: 'Fatiha', binding: surah }],
    ['/playback/play', { path: 'Husary/002.mp3' }],
    ['/playback/queue', { type: 'path', path: 'Husary/114.mp3' }],
    ['/hifz/learners', { name: 'Maryam' }],
  ]
  for (const [url, body] of said) assert.ok((await post(url, body)).statusCode < 300, url)
  for (const sql of [
    `INSERT INTO verse_marks VALUES ('Husary/001.mp3', 2, 10, 20, 4000)`,
    `INSERT INTO learner_plans VALUES (1, '{}')`,
    `INSERT INTO portions VALUES (1, 1, 114, 1, 6, '2026-01-01', 1, 'good', '2026-01-02', '', '')`,
    `INSERT INTO gradings VALUES (1, 1, 114, 1, 6, 'good', 'teacher', 1, '2026-01-02', NULL)`,
    `INSERT INTO practice_days VALUES (1, '2026-01-02')`,
    `INSERT INTO learner_turn VALUES (1, 1, 114, 1, 6, 1)`,
  ]) {
    db.exec(sql)
  }
  await post('/playback/stop')
  mkdirSync(path.join(box.dataDir, 'sounds'))
  writeFileSync(path.join(box.dataDir, 'sounds', 'أذان.mp3'), OWN_ADHAN)
  writeFileSync(path.join(box.dataDir, 'sounds', 'not-chosen.mp3'), 'another')
  const adhan = { path: 'data:أذان.mp3', prayers: { fajr: { path: 'data:أذان.mp3' } } }
  assert.equal((await post('/prayer/config', { adhan })).statusCode, 200)
  return box
}

test('a backup brings another box to where this one was', async (t) => {
  const before = await livedIn(t)
  const reply = await before.app.inject({ url: '/api/backup', ...owner })
  assert.equal(reply.statusCode, 200, reply.body)
  assert.match(String(reply.headers['content-disposition']), /manara-\d{4}-\d\d-\d\d\.json/)
  const copied = Object.keys(TABLES).filter((name) => TABLES[name] === 'copied')
  const was = Object.fromEntries(copied.map((name) => [name, rowsOf(before, name)]))
  for (const name of copied) assert.notDeepEqual(was[name], [], `${name} is empty`)

  const other = await playerFixture(t)
  await other.post('/radio/stations', { name: 'gone', url: 'http://gone.example/' })
  await other.post('/playback/play', { path: 'Husary/001.mp3' })
  const back = await other.post('/backup', reply.body)
  assert.equal(back.statusCode, 200, back.body)
  assert.deepEqual(back.json(), { success: true })
  assert.deepEqual(other.restarts, [])
  other.clock.advance(500)
  assert.deepEqual(other.restarts, ['box'])

  const brought = path.join(other.dataDir, 'sounds')
  assert.deepEqual(readdirSync(brought), ['أذان.mp3'])
  assert.deepEqual(readFileSync(path.join(brought, 'أذان.mp3')), OWN_ADHAN)

  await other.close()
  const again = await playerFixture(t, { dataDir: other.dataDir, cardDir: other.cardDir })
  for (const name of copied.filter((name) => name !== 'schedules')) {
    assert.deepEqual(rowsOf(again, name), was[name], name)
  }
  const [{ armed_at: _, ...schedule } = {}, ...more] = rowsOf(again, 'schedules')
  assert.partialDeepStrictEqual(was.schedules?.[0], schedule)
  assert.deepEqual(more, [])
  assert.equal((await again.get('/settings')).json().language, 'ar')
  assert.equal((await again.get('/radio/stations')).json().stations.length, 1)
})

test('what played when the backup was made does not begin by itself, and its place is kept', async (t) => {
  const box = await playerFixture(t)
  await box.post('/settings/auto-resume', { enabled: true })
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  const backup = await backupOf(box)
  await box.post('/playback/stop')
  assert.equal((await box.post('/backup', backup)).statusCode, 200)
  await box.close()
  const again = await playerFixture(t, { cardDir: box.cardDir, dataDir: box.dataDir })
  const { state, hasResumeState } = (await again.get('/playback/status')).json()
  assert.deepEqual([state, hasResumeState], ['stopped', true])
  assert.deepEqual(again.audio.loaded, [])
})

test('a schedule that is brought back fires today, also where one of its number has', async (t) => {
  const hour = 60 * 60_000
  const clock = createManualClock(Date.parse('2026-01-01T05:00:00Z'))
  const box = await playerFixture(t, { clock })
  const target = { type: 'path', path: 'Husary/002.mp3' }
  const { id } = (await box.post('/schedules', { hour: 7, minute: 0, days: 127, target })).json()
  const backup = await backupOf(box)
  await box.patch(`/schedules/${id}`, { hour: 6 })
  clock.advance(hour)
  await box.settled()
  assert.equal(box.audio.loaded.length, 1)
  assert.equal((await box.post('/backup', backup)).statusCode, 200)
  await box.close()
  const { cardDir, dataDir } = box
  const again = await playerFixture(t, { clock, cardDir, dataDir })
  const { schedules } = (await again.get('/schedules')).json()
  assert.equal(schedules[0].next_fire, Date.parse('2026-01-01T07:00:00Z') / 1000)
  clock.advance(hour)
  await again.settled()
  assert.equal(again.audio.loaded.length, 1)
})

for (const [degrees, what] of [
  [1, 'called again where the place that is brought back has it ahead'],
  [0.45, 'not called again where the place is only told more exactly'],
] as const) {
  test(`a prayer that was called is ${what}`, async (t) => {
    const clock = createManualClock(Date.parse('2026-11-17T16:00:00Z'))
    const box = await playerFixture(t, { clock })
    const place = { lat: 41.01, lng: 28.95 }
    await box.post('/prayer/config', { ...place, adhan: { enabled: true } })
    const backup = await backupOf(box)
    await box.post('/prayer/config', { lng: place.lng + degrees })
    const isha = async ({ get }: Box) => (await get('/prayer')).json().epochs.isha * 1000
    const begun = async ({ events, settled }: Box, at: number) => {
      let isCalled = false
      events.on('adhan', ({ phase }) => {
        isCalled ||= phase === 'started'
      })
      clock.advance(at - clock.now())
      await settled()
      return isCalled
    }
    assert.equal(await begun(box, await isha(box)), true)
    assert.equal((await box.post('/backup', backup)).statusCode, 200)
    await box.close()
    const { cardDir, dataDir } = box
    const again = await playerFixture(t, { clock, cardDir, dataDir })
    const ahead = await isha(again)
    assert.ok(ahead > clock.now())
    assert.equal(await begun(again, ahead), degrees === 1)
  })
}

test('what the box knows of itself is in no backup and stays', async (t) => {
  const box = await livedIn(t)
  const secret = 'a-network-nobody-else-has'
  for (const key of ['ssid', 'audio_output']) {
    box.db.prepare('INSERT OR REPLACE INTO settings VALUES (?, ?)').run(key, `"${secret}"`)
  }
  box.db.exec(`INSERT INTO fired VALUES ('adhan:fajr', '2026-01-01', 1)`)
  const backup = await backupOf(box)
  assert.ok(!JSON.stringify(backup).includes(secret))
  assert.ok(!JSON.stringify(backup).includes(TOKEN))
  assert.equal((await box.post('/backup', backup)).statusCode, 200)
  assert.equal(rowsOf(box, 'fired').length, 1)
  const kept = rowsOf(box, 'settings').filter(({ value }) => value === `"${secret}"`)
  assert.equal(kept.length, 2)
})

test('a backup wants the token, to be made and to be brought back', async (t) => {
  const box = await livedIn(t)
  assert.equal((await box.get('/backup')).statusCode, 401)
  assert.equal((await box.post('/backup', await backupOf(box), 'no')).statusCode, 401)
})

test('what is no backup of ours is refused with its reason, and nothing is changed', async (t) => {
  const box = await livedIn(t)
  const backup = await backupOf(box)
  // What was played is listened to in the background, whatever is asked meanwhile.
  const names = Object.keys(TABLES).filter((name) => name !== 'heard_files')
  const was = names.map((name) => rowsOf(box, name))
  const signed = (tables: object) => ({ ...backup, tables, digest: digestOf(tables as never) })
  const { schedules, settings, ...rest } = backup.tables
  const [sound] = backup.sounds
  const refused: [object | string, RegExp][] = [
    [{ ...backup, sounds: [{ ...sound, data: 'AAAA' }] }, /^sounds\.0: أذان\.mp3 was cut/],
    [{ ...backup, sounds: [{ ...sound, name: '../player.db' }] }, /^sounds\.0\.name: /],
    ['{"format":"manara-pl', /JSON/],
    [{ ...backup, format: 'other' }, /^format: /],
    [{ ...backup, tables: { ...rest, settings } }, /^digest: .*choose another/],
    [{ ...backup, store: MIGRATIONS.length + 1 }, /^store: .*update this box/],
    [signed({ ...rest, settings, schedules: { ...schedules, columns: ['x"; --'] } }), /schedules/],
    [
      signed({ ...rest, settings, schedules: { ...schedules, rows: [[1, 2]] } }),
      /^tables\.schedules: /,
    ],
    [
      signed({ ...rest, schedules, settings: { ...settings, rows: [['volume', 'loud']] } }),
      /^tables: .*understand/,
    ],
  ]
  for (const [body, reason] of refused) {
    const reply = await box.post('/backup', body)
    assert.equal(reply.statusCode, 400, reply.body)
    assert.match(reply.json().error, reason)
  }
  box.clock.advance(500)
  assert.deepEqual(box.restarts, [])
  assert.deepEqual(
    names.map((name) => rowsOf(box, name)),
    was,
  )
})

test('a backup of a version that knew fewer tables is brought back', async (t) => {
  const box = await livedIn(t)
  const { tables, ...backup } = await backupOf(box)
  const first = { settings: tables.settings, stations: tables.stations }
  const reply = await box.post('/backup', {
    ...{ ...backup, store: 1, tables: first, digest: digestOf(first) },
  })
  assert.equal(reply.statusCode, 200, reply.body)
  assert.equal(rowsOf(box, 'stations').length, 1)
  assert.deepEqual(rowsOf(box, 'learners'), [])
})

test('every table of the store has been decided on', async (t) => {
  const { db } = await playerFixture(t)
  const named = db
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all()
    .map(({ name }) => name)
  assert.deepEqual(named.sort(), Object.keys(TABLES).sort())
})
