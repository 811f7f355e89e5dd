import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createManualClock } from '../../testing/manual-clock.ts'
import { type FixtureOptions, playerFixture } from '../../testing/player-fixture.ts'

const MINUTE = 60_000
const MAKKAH = 'Adhan/makkah.mp3'
const FAJR = 'Adhan/fajr.mp3'
const DUA = 'Adhan/dua.mp3'
const FILES = [MAKKAH, FAJR, DUA, 'Husary/001.mp3', 'Husary/002.mp3']

const FAJR_AT = Date.parse('2025-09-12T02:10:00Z')
const DHUHR_AT = Date.parse('2025-09-12T09:51:00Z')

type Options = FixtureOptions & { at?: number; config?: object }

/** A box in Cairo with its clock in UTC, half an hour before a prayer of 12 September 2025. */
async function boxInCairo(t: TestContext, { at = DHUHR_AT, config = {}, ...options }: Options) {
  const clock = options.clock ?? createManualClock(at - 30 * MINUTE)
  const box = await playerFixture(t, { files: FILES, ...options, clock })
  const place = { lat: 30.0312784, lng: 31.2125945, method: 2 }
  const adhan = { enabled: true, volume: 80, path: MAKKAH }
  const reply = await box.post('/prayer/config', { ...place, adhan })
  assert.equal(reply.statusCode, 200, reply.body)
  const more = Object.keys(config).length ? await box.post('/prayer/config', config) : reply
  assert.equal(more.statusCode, 200, more.body)
  box.seen.splice(0)
  return {
    ...box,
    status: async () => (await box.get('/playback/status')).json(),
    async advance(ms: number) {
      box.clock.advance(ms)
      await box.settled()
    },
    async end(...how: Parameters<typeof box.audio.end>) {
      box.audio.end(...how)
      await box.settled()
      await box.settled()
    },
    /** `adhan dhuhr started` and the like, since the last call. */
    told: () =>
      box.seen.splice(0).flatMap(({ event, data }) => {
        if (event !== 'adhan' && event !== 'announcement') return []
        const { kind = 'adhan', prayer, phase } = data as Record<string, string>
        return [`${kind} ${prayer} ${phase}`]
      }),
  }
}

test('of two prayers in one minute each is reminded of, called and has its iqama, one after the other', async (t) => {
  const clock = createManualClock(Date.parse('2027-01-05T09:00:00Z'))
  const box = await boxInCairo(t, {
    clock,
    config: {
      ...{ lat: 69.65, lng: 18.96, method: 0, adhan: { dua_path: '' } },
      ...{ reminder: { enabled: true }, iqama: { enabled: true } },
    },
  })
  await box.post('/settings/timezone', { timezone: 'CET-1CEST,M3.5.0,M10.5.0/3' })
  const { times } = (await box.get('/prayer')).json()
  assert.deepEqual([times.dhuhr, times.asr], ['11:55', '11:55'])
  for (let minute = 0; minute < 150; minute += 1) {
    await box.advance(MINUTE)
    await box.end()
  }
  assert.deepEqual(
    box.told().filter((line) => line.endsWith('started')),
    ['reminder', 'adhan', 'iqama'].flatMap((kind) => [
      `${kind} dhuhr started`,
      `${kind} asr started`,
    ]),
  )
})

test('Fajr has its own adhan and its own volume, the others theirs', async (t) => {
  const own = { fajr: { path: FAJR, volume: 40 } }
  const fajr = await boxInCairo(t, { at: FAJR_AT, config: { adhan: { prayers: own } } })
  await fajr.advance(30 * MINUTE)
  const at = await fajr.status()
  assert.deepEqual([at.adhan, at.track, at.volume], ['fajr', FAJR, 40])
  const dhuhr = await boxInCairo(t, { config: { adhan: { prayers: own } } })
  await dhuhr.advance(30 * MINUTE)
  const noon = await dhuhr.status()
  assert.deepEqual([noon.adhan, noon.track, noon.volume], ['dhuhr', MAKKAH, 80])
})

test("a prayer's own adhan that is gone is the common one, and the owner is told", async (t) => {
  const config = { adhan: { prayers: { dhuhr: { path: FAJR } } } }
  const box = await boxInCairo(t, { config })
  rmSync(path.join(box.cardDir, FAJR))
  await box.advance(30 * MINUTE)
  assert.equal((await box.status()).track, MAKKAH)
  assert.deepEqual(box.told(), ['adhan dhuhr started'], 'no word of a chime')
  const { boot_failures } = (await box.get('/system')).json()
  assert.match(boot_failures[0].error, /^Adhan\/fajr\.mp3: .*; the common adhan calls instead$/)
  const reply = await box.post('/prayer/test-adhan?prayer=dhuhr')
  assert.match(reply.json().error, /; the common adhan calls instead$/)
})

test("a common adhan that is gone is not told of a prayer's own, which sounds", async (t) => {
  const config = { adhan: { prayers: { dhuhr: { path: FAJR } } } }
  const box = await boxInCairo(t, { config })
  rmSync(path.join(box.cardDir, MAKKAH))
  await box.advance(30 * MINUTE)
  assert.equal((await box.status()).track, FAJR)
  const { boot_failures } = (await box.get('/system')).json()
  assert.match(boot_failures[0].error, /^Adhan\/makkah\.mp3: /)
})

test('an empty own path is the chime for that prayer alone', async (t) => {
  const box = await boxInCairo(t, { config: { adhan: { prayers: { dhuhr: { path: '' } } } } })
  await box.advance(30 * MINUTE)
  assert.deepEqual([(await box.status()).track, box.told()], ['chime', ['adhan dhuhr started']])
})

test('POST /prayer/test-adhan?prayer= plays the adhan of that prayer', async (t) => {
  const box = await boxInCairo(t, { config: { adhan: { prayers: { fajr: { path: FAJR } } } } })
  const { adhan, track } = (await box.post('/prayer/test-adhan?prayer=fajr')).json()
  assert.deepEqual([adhan, track], ['fajr', FAJR])
  assert.match((await box.post('/prayer/test-adhan?prayer=noon')).json().error, /^prayer/)
})

test('the dua follows the adhan, and the surah follows the dua at its place', async (t) => {
  const box = await boxInCairo(t, { config: { adhan: { dua_path: DUA } } })
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  box.audio.playTo(23_000)
  await box.advance(30 * MINUTE)
  await box.end()
  const { adhan, announcement, track, volume } = await box.status()
  assert.deepEqual([adhan, announcement, track, volume], ['dhuhr', 'dua', DUA, 80])
  await box.end()
  const after = await box.status()
  assert.deepEqual(
    [after.track, after.position, after.announcement],
    ['Husary/002.mp3', 23_000, undefined],
  )
  assert.deepEqual(box.told(), ['adhan dhuhr started', 'adhan dhuhr dua', 'adhan dhuhr finished'])
})

test('a dua that cannot be played leaves what was interrupted as it was', async (t) => {
  const box = await boxInCairo(t, { config: { adhan: { dua_path: DUA } } })
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  box.audio.playTo(23_000)
  box.audio.unplayable.add(path.join(box.cardDir, DUA))
  await box.advance(30 * MINUTE)
  await box.end()
  const { state, track, position } = await box.status()
  assert.deepEqual([state, track, position], ['playing', 'Husary/002.mp3', 23_000])
  assert.deepEqual(box.told(), ['adhan dhuhr started', 'adhan dhuhr finished'])
})

test('what is told of a lost sound is true of it', async (t) => {
  const config = { adhan: { dua_path: DUA }, reminder: { enabled: true, path: FAJR } }
  const box = await boxInCairo(t, { config })
  rmSync(path.join(box.cardDir, 'Adhan'), { recursive: true })
  const failures = async () => {
    await box.post('/library/rescan')
    await box.post('/prayer/config', { rounding: 'nearest' })
    return (await box.get('/system')).json().boot_failures
  }
  const lost = 'names no playable file on the card'
  assert.deepEqual(await failures(), [
    {
      component: 'adhan',
      error: `${MAKKAH}: ${lost}; the built-in chime announces prayers instead`,
    },
    { component: 'dua', error: `${DUA}: ${lost}; no dua follows the adhan` },
  ])
  box.putFile(MAKKAH)
  box.putFile(DUA)
  assert.deepEqual(await failures(), [
    { component: 'adhan', error: `${FAJR}: ${lost}; the built-in chime is heard instead` },
  ])
})

test('one stop ends the adhan without its dua', async (t) => {
  const box = await boxInCairo(t, { config: { adhan: { dua_path: DUA } } })
  await box.advance(30 * MINUTE)
  const { state, adhan } = (await box.post('/prayer/stop-adhan')).json()
  assert.deepEqual([state, adhan], ['stopped', undefined])
})

test('the reminder sounds before the prayer, once, and what it interrupts goes on', async (t) => {
  const reminder = { enabled: true, minutes: 10, volume: 25, path: '' }
  const box = await boxInCairo(t, { config: { reminder } })
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  box.audio.playTo(5_000)
  await box.advance(20 * MINUTE - 1)
  assert.deepEqual(box.told(), [])
  await box.advance(1)
  assert.deepEqual(box.told(), ['reminder dhuhr due', 'reminder dhuhr started'])
  const { adhan, announcement, track, volume } = await box.status()
  assert.deepEqual([adhan, announcement, track, volume], [undefined, 'reminder', 'chime', 25])
  await box.end()
  assert.deepEqual(box.told(), ['reminder dhuhr finished'])
  const { position, volume: own } = await box.status()
  assert.deepEqual([position, own], [5_000, 50])
  await box.advance(10 * MINUTE)
  assert.deepEqual(box.told(), ['adhan dhuhr started'])
})

test('the reminder needs no adhan, and minds its mask', async (t) => {
  const config = { adhan: { enabled: false }, reminder: { enabled: true, prayer_mask: 0b001000 } }
  const box = await boxInCairo(t, { config })
  const seen: string[] = []
  box.events.on('announcement', ({ kind, prayer, phase }) =>
    seen.push(`${kind} ${prayer} ${phase}`),
  )
  for (let step = 0; step < 24 * 6; step += 1) {
    await box.advance(10 * MINUTE)
    if ((await box.status()).announcement) await box.end()
  }
  assert.deepEqual(seen, ['reminder asr due', 'reminder asr started', 'reminder asr finished'])
})

test('the iqama is counted down to and then sounds', async (t) => {
  const iqama = { enabled: true, minutes: [20, 0, 15, 15, 10, 15], path: DUA, volume: 60 }
  const box = await boxInCairo(t, { config: { iqama } })
  assert.equal((await box.get('/prayer')).json().iqama, undefined)
  await box.advance(30 * MINUTE)
  await box.end()
  const { prayer, epoch, in_s } = (await box.get('/prayer')).json().iqama
  assert.deepEqual([prayer, epoch, in_s], ['dhuhr', DHUHR_AT / 1000 + 900, 900])
  await box.advance(5 * MINUTE)
  assert.equal((await box.get('/prayer')).json().iqama.in_s, 600)
  box.seen.splice(0)
  await box.advance(10 * MINUTE)
  assert.deepEqual(box.told(), ['iqama dhuhr due', 'iqama dhuhr started'])
  const { announcement, track, volume } = await box.status()
  assert.deepEqual([announcement, track, volume], ['iqama', DUA, 60])
  assert.equal((await box.get('/prayer')).json().iqama, undefined)
})

test('an iqama that is due while the adhan still sounds waits for it', async (t) => {
  const iqama = { enabled: true, minutes: [1, 0, 1, 1, 1, 1] }
  const box = await boxInCairo(t, { config: { iqama } })
  await box.advance(31 * MINUTE)
  assert.deepEqual(box.told(), ['adhan dhuhr started'])
  await box.end()
  await box.settled()
  assert.deepEqual(box.told(), ['adhan dhuhr finished', 'iqama dhuhr due', 'iqama dhuhr started'])
})

test('iqama.path null counts down in silence', async (t) => {
  const box = await boxInCairo(t, {
    config: { adhan: { enabled: false }, iqama: { enabled: true, path: null } },
  })
  await box.advance(45 * MINUTE)
  assert.deepEqual([box.told(), (await box.status()).state], [['iqama dhuhr due'], 'stopped'])
})

test('a sound that is kept in the box needs no card', async (t) => {
  const box = await boxInCairo(t, {})
  mkdirSync(path.join(box.dataDir, 'sounds'))
  writeFileSync(path.join(box.dataDir, 'sounds', 'fajr.mp3'), 'x')
  const reply = await box.post('/prayer/config', { adhan: { path: 'data:fajr.mp3' } })
  assert.equal(reply.statusCode, 200, reply.body)
  rmSync(path.join(box.cardDir, 'Adhan'), { recursive: true })
  await box.advance(30 * MINUTE)
  assert.equal((await box.status()).track, 'data:fajr.mp3')
})

test('POST /prayer/config keeps what a part leaves out, also inside of a part', async (t) => {
  const box = await boxInCairo(t, { config: { adhan: { prayers: { fajr: { path: FAJR } } } } })
  await box.post('/prayer/config', { adhan: { prayers: { fajr: { volume: 30 } } } })
  await box.post('/prayer/config', { iqama: { enabled: true } })
  const { adhan, iqama } = (await box.get('/prayer')).json().config
  assert.deepEqual(adhan.prayers.fajr, { path: FAJR, volume: 30 })
  assert.deepEqual([adhan.path, adhan.prayers.isha.path], [MAKKAH, null])
  assert.deepEqual([iqama.enabled, iqama.minutes[0]], [true, 20])
})

const REFUSED: [body: object, error: RegExp][] = [
  [{ adhan: { prayers: { fajr: { path: 'no/such.mp3' } } } }, /^adhan\.prayers\.fajr\.path: /],
  [{ adhan: { prayers: { fajr: { path: '../etc/passwd' } } } }, /^adhan\.prayers\.fajr\.path: /],
  [{ adhan: { prayers: { fajr: { volume: 101 } } } }, /^adhan\.prayers\.fajr\.volume/],
  [{ adhan: { prayers: { sunrise: { volume: 1 } } } }, /sunrise/],
  [{ adhan: { dua_path: 'data:../../x.mp3' } }, /^adhan\.dua_path: /],
  [{ adhan: { dua_path: 'data:.x.mp3' } }, /^adhan\.dua_path: /],
  [{ reminder: { minutes: 0 } }, /^reminder\.minutes/],
  [{ reminder: { minutes: '10' } }, /^reminder\.minutes/],
  [{ reminder: { path: 'data:none.mp3' } }, /^reminder\.path: names no sound/],
  [{ iqama: { minutes: [1, 2, 3] } }, /^iqama\.minutes: must have exactly 6 items$/],
  [{ iqama: { minutes: [1, 2, 3, 4, 5, 121] } }, /^iqama\.minutes/],
  [{ iqama: { path: 'Husary' } }, /^iqama\.path: /],
]
for (const [body, error] of REFUSED)
  test(`POST /prayer/config refuses ${JSON.stringify(body)} and changes nothing`, async (t) => {
    const { get, post } = await playerFixture(t)
    const before = (await get('/prayer')).json().config
    const reply = await post('/prayer/config', body)
    assert.equal(reply.statusCode, 400, reply.body)
    assert.match(reply.json().error, error)
    assert.deepEqual((await get('/prayer')).json().config, before)
  })

test('a power cut during a long iqama leaves what was paused paused', async (t) => {
  const iqama = { enabled: true, minutes: [20, 0, 15, 15, 10, 15], path: DUA }
  const first = await boxInCairo(t, { config: { adhan: { enabled: false }, iqama } })
  await first.post('/settings/auto-resume', { enabled: true })
  await first.post('/playback/play', { path: 'Husary/002.mp3' })
  await first.post('/playback/pause')
  await first.advance(45 * MINUTE)
  assert.equal((await first.status()).announcement, 'iqama')
  await first.advance(30_000)
  first.db.close()
  const clock = createManualClock(DHUHR_AT + 20 * MINUTE)
  const second = await playerFixture(t, { dataDir: first.dataDir, clock, files: FILES })
  assert.equal(second.box.player.status().state, 'stopped')
})

test('what resumes by itself after a power cut waits for its card through an iqama', async (t) => {
  const iqama = { enabled: true, minutes: [20, 0, 15, 15, 10, 15], path: '' }
  const first = await boxInCairo(t, { config: { adhan: { enabled: false }, iqama } })
  await first.post('/settings/auto-resume', { enabled: true })
  await first.post('/playback/play', { path: 'Husary/002.mp3' })
  await first.close()
  const clock = createManualClock(DHUHR_AT + 14 * MINUTE)
  const second = await playerFixture(t, { dataDir: first.dataDir, clock, files: [] })
  clock.advance(MINUTE)
  await second.settled()
  assert.equal(second.box.player.status().announcement, 'iqama')
  second.audio.end()
  await second.settled()
  for (const file of FILES) second.putFile(file)
  await second.post('/library/rescan')
  await second.settled()
  await second.settled()
  const { state, surah_number } = second.box.player.status()
  assert.deepEqual([state, surah_number], ['playing', 2])
})
