import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createManualWallClock } from '../../testing/manual-wall-clock.ts'
import { type FixtureOptions, playerFixture } from '../../testing/player-fixture.ts'

const MINUTE = 60_000
const MAKKAH = 'Adhan/makkah.mp3'
const FILES = [MAKKAH, 'Husary/001.mp3', 'Husary/002.mp3', 'Husary/003.mp3']
const URL = 'http://radio.example/live'

/** A box in Cairo with its clock in UTC, a minute before the given UTC time of 12 September 2025. */
const DHUHR = Date.parse('2025-09-12T09:51:00Z')

async function boxInCairo(t: TestContext, options: FixtureOptions & { at?: number } = {}) {
  const clock = options.clock ?? createManualClock((options.at ?? DHUHR) - MINUTE)
  const box = await playerFixture(t, { files: FILES, ...options, clock })
  const place = { lat: 30.0312784, lng: 31.2125945, method: 2 }
  const adhan = { enabled: true, prayer_mask: 61, volume: 80, path: MAKKAH }
  const reply = await box.post('/prayer/config', { ...place, adhan })
  assert.equal(reply.statusCode, 200, reply.body)
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
    adhans: () =>
      box.seen
        .splice(0)
        .flatMap(({ event, data }) => (event === 'adhan' ? [data as { phase: string }] : [])),
    loaded: () =>
      box.audio.loaded.map(({ source }) => ('path' in source ? source.path : source.url)),
  }
}

const onCard = (cardDir: string, file: string) => path.join(cardDir, file)

test('the adhan sounds at the minute, not before, with its volume, and the volume comes back', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/playback/volume', { volume: 30 })
  await box.advance(MINUTE - 1)
  assert.deepEqual(box.adhans(), [])
  await box.advance(1)
  assert.deepEqual(box.adhans(), [{ prayer: 'dhuhr', phase: 'started' }])
  const { state, mode, track, volume, adhan } = await box.status()
  assert.deepEqual([state, mode, track, volume, adhan], ['playing', 'file', MAKKAH, 80, 'dhuhr'])
  await box.end()
  assert.deepEqual(box.adhans(), [{ prayer: 'dhuhr', phase: 'finished' }])
  const after = await box.status()
  assert.deepEqual(
    [after.state, after.mode, after.volume, after.adhan],
    ['stopped', 'idle', 30, undefined],
  )
})

test('the adhan rises at its own volume, and neither it nor what it interrupts is heard at the other’s', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/settings/fades', { fade_up_s: 4, fade_down_s: 1 })
  await box.post('/playback/play', { path: FILES[0] })
  box.audio.playTo(20_000)
  await box.advance(MINUTE)
  assert.deepEqual(box.audio.fades, [{ level: 0, duration_ms: 1000 }])
  const { volume, fade_in_ms } = box.audio.loaded.at(-1) ?? {}
  assert.deepEqual([volume, fade_in_ms], [80, 4000])
  await box.end()
  assert.equal(box.audio.loaded.at(-1)?.position_ms, 20_000)
  assert.deepEqual(box.audio.whileSounding, [])
})

test('volume 0 keeps the current volume, and the limit holds for the adhan too', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/playback/volume', { volume: 35 })
  await box.post('/prayer/config', { adhan: { volume: 0 } })
  await box.post('/prayer/test-adhan')
  assert.equal((await box.status()).volume, 35)
  await box.post('/prayer/stop-adhan')
  await box.post('/prayer/config', { adhan: { volume: 90 } })
  await box.post('/settings/max-volume', { max_volume: 60 })
  await box.post('/prayer/test-adhan')
  assert.equal((await box.status()).volume, 60)
  await box.post('/settings/max-volume', { max_volume: 50 })
  assert.equal((await box.status()).volume, 50)
  await box.post('/prayer/stop-adhan')
  assert.equal((await box.status()).volume, 35)
})

const STEPS: [own: number, of: number, turns: [by: string, heard: number][], after: number][] = [
  [30, 80, [['volume_down', 75]], 30],
  [30, 80, [['volume_up', 85]], 30],
  [
    30,
    35,
    [
      ['volume_down', 30],
      ['volume_down', 25],
    ],
    25,
  ],
  [
    30,
    35,
    [
      ['volume_down', 30],
      ['volume_up', 35],
    ],
    30,
  ],
  [60, 20, [['volume_up', 25]], 60],
  [30, 0, [['volume_up', 35]], 35],
]
for (const [own, of, turns, after] of STEPS)
  test(`${own}, an adhan at ${of} and ${turns.map(([by]) => by).join(', ')}: then ${after}`, async (t) => {
    const box = await boxInCairo(t)
    for (const action of ['volume_up', 'volume_down']) {
      const uid = action === 'volume_up' ? 'AAAA0001' : 'AAAA0002'
      await box.post('/rfid/cards', { uid, name: action, binding: { type: 'action', action } })
    }
    await box.post('/prayer/config', { adhan: { volume: of } })
    await box.post('/playback/volume', { volume: own })
    await box.post('/playback/play', { path: 'Husary/002.mp3' })
    await box.advance(MINUTE)
    for (const [by, heard] of turns) {
      box.reader.put(by === 'volume_up' ? 'AAAA0001' : 'AAAA0002')
      await box.settled()
      box.reader.lift()
      // The same card is not another tap at once.
      await box.advance(10_000)
      assert.equal((await box.status()).volume, heard)
    }
    await box.end()
    const { surah_number, volume } = await box.status()
    assert.deepEqual([surah_number, volume], [2, after])
  })

test('POST /playback/volume during the adhan answers what sounds, and what follows is not louder than before', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/playback/volume', { volume: 30 })
  await box.advance(MINUTE)
  box.seen.splice(0)
  const reply = await box.post('/playback/volume', { volume: 60 })
  assert.deepEqual(reply.json(), { success: true, volume: 60 })
  assert.deepEqual(box.seen, [{ event: 'volume', data: { volume: 60 } }])
  await box.end()
  assert.equal((await box.status()).volume, 30)
})

test('a volume that is set during the adhan stays', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/prayer/test-adhan')
  await box.post('/playback/volume', { volume: 44 })
  assert.equal((await box.status()).volume, 44)
  await box.end()
  assert.equal((await box.status()).volume, 44)
})

test('a day has its five calls, sunrise none, whatever its bit says', async (t) => {
  const box = await boxInCairo(t, { at: Date.parse('2025-09-12T00:00:00Z') })
  await box.post('/prayer/config', { adhan: { prayer_mask: 0b111111 } })
  const called: string[] = []
  box.events.on('adhan', ({ prayer, phase }) => phase === 'started' && called.push(prayer))
  for (let quarter = 0; quarter < 96; quarter += 1) await box.advance(15 * MINUTE)
  assert.deepEqual(called, ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'])
})

test('an adhan that is not enabled is silent', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/prayer/config', { adhan: { enabled: false } })
  await box.advance(10 * MINUTE)
  assert.deepEqual(box.adhans(), [])
})

test('a surah goes on at the same position', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  box.audio.playTo(23_456)
  await box.advance(MINUTE)
  assert.equal((await box.status()).track, MAKKAH)
  box.audio.playTo(50_000)
  await box.end()
  const { state, track, surah_number, position } = await box.status()
  assert.deepEqual([state, track, surah_number, position], ['playing', 'Husary/002.mp3', 2, 23_456])
  assert.equal(box.audio.loaded.at(-1)?.position_ms, 23_456)
})

test('a paused surah stays paused at its position', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  box.audio.playTo(9_000)
  await box.post('/playback/pause')
  await box.advance(MINUTE)
  assert.equal((await box.status()).state, 'playing')
  await box.end()
  const { state, position } = await box.status()
  assert.deepEqual([state, position], ['paused', 9_000])
  assert.equal((await box.post('/playback/resume')).json().state, 'playing')
})

test('a station is connected to again', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/playback/play', { url: URL })
  box.audio.become('playing')
  await box.advance(MINUTE)
  await box.end()
  const { state, mode, track } = await box.status()
  assert.deepEqual([state, mode, track], ['buffering', 'stream', URL])
})

test('the silence of a hifz mode goes on where it was', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/playback/mode', { mode: 'hifz_repeat', repeat: 3, pause_s: 90 })
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  await box.end()
  assert.equal((await box.status()).hifz.waiting, true)
  await box.advance(MINUTE)
  assert.equal((await box.status()).adhan, 'dhuhr')
  await box.advance(5 * MINUTE)
  assert.equal((await box.status()).adhan, 'dhuhr', 'the gap does not end the adhan')
  await box.end()
  const waiting = await box.status()
  assert.deepEqual([waiting.state, waiting.hifz.waiting], ['playing', true])
  await box.advance(29_999)
  assert.equal((await box.status()).hifz.waiting, true)
  await box.advance(1)
  const { track, hifz } = await box.status()
  assert.deepEqual([track, hifz.waiting, hifz.repeat_done], ['Husary/001.mp3', false, 1])
})

test('the end of the adhan is not the end of the surah: nothing advances', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/playback/mode', { mode: 'continuous' })
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  await box.advance(MINUTE)
  await box.end()
  assert.equal((await box.status()).surah_number, 1)
  assert.equal((await box.status()).hasResumeState, true)
})

test('POST /prayer/stop-adhan goes on with what was interrupted', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  box.audio.playTo(12_000)
  await box.advance(MINUTE)
  const reply = await box.post('/prayer/stop-adhan')
  const { success, state, surah_number, position, volume } = reply.json()
  assert.deepEqual(
    [success, state, surah_number, position, volume],
    [true, 'playing', 2, 12_000, 50],
  )
  assert.deepEqual(
    box.adhans().map(({ phase }) => phase),
    ['started', 'stopped'],
  )
  assert.equal((await box.post('/prayer/stop-adhan')).statusCode, 200, 'once more does no harm')
  assert.equal((await box.status()).surah_number, 2)
})

test('POST /playback/stop during the adhan is silence, and keeps the place of the surah', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  box.audio.playTo(12_000)
  await box.advance(MINUTE)
  box.audio.playTo(30_000)
  const { state, mode, volume } = (await box.post('/playback/stop')).json()
  assert.deepEqual([state, mode, volume], ['stopped', 'idle', 50])
  const resumed = (await box.post('/playback/resume-saved')).json()
  assert.deepEqual([resumed.surah_number, resumed.position], [2, 12_000])
})

test('what a person plays replaces the adhan; pause and resume are about the adhan itself', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  await box.advance(MINUTE)
  assert.deepEqual((await box.post('/playback/pause')).json().state, 'paused')
  const resumed = (await box.post('/playback/resume')).json()
  assert.deepEqual([resumed.state, resumed.adhan], ['playing', 'dhuhr'])
  const refused = await box.post('/playback/seek', { position: 1000 })
  assert.equal(refused.statusCode, 400)
  assert.match(refused.json().error, /^position: the adhan/)
  const next = (await box.post('/playback/next')).json()
  assert.deepEqual(
    [next.state, next.surah_number, next.volume, next.adhan],
    ['playing', 3, 50, undefined],
  )
  await box.post('/prayer/test-adhan')
  const played = (await box.post('/playback/play', { path: 'Husary/001.mp3' })).json()
  assert.deepEqual([played.state, played.surah_number, played.volume], ['playing', 1, 50])
})

test('a mode that is set during the adhan holds afterwards', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/playback/mode', { mode: 'hifz_repeat', repeat: 3, pause_s: 90 })
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  await box.end()
  await box.advance(MINUTE)
  await box.post('/playback/mode', { mode: 'off' })
  await box.end()
  const { state, surah_number, advance_mode, position } = await box.status()
  assert.deepEqual([state, surah_number, advance_mode, position], ['playing', 1, 'off', 0])
})

test('a power cut during the adhan loses neither the place nor repeats the adhan', async (t) => {
  const first = await boxInCairo(t)
  await first.post('/settings/auto-resume', { enabled: true })
  await first.post('/playback/play', { path: 'Husary/002.mp3' })
  first.audio.playTo(33_000)
  await first.advance(MINUTE)
  first.audio.playTo(20_000)
  await first.advance(15_000)
  // No orderly stop: the store is simply left behind.
  await first.box.library.stop()
  first.db.close()
  const second = await boxInCairo(t, {
    dataDir: first.dataDir,
    clock: createManualClock(DHUHR + 30_000),
  })
  await second.advance(MINUTE)
  assert.deepEqual(second.adhans(), [])
  const { state, surah_number } = await second.status()
  assert.deepEqual([state, surah_number], ['playing', 2])
  assert.equal(second.audio.loaded[0]?.position_ms, 33_000)
})

test('a clock that is not trusted calls to nothing; one that becomes so in the minute does', async (t) => {
  const clock = createManualClock(DHUHR - MINUTE)
  const wall = createManualWallClock(clock, 'none')
  const box = await boxInCairo(t, { clock, wall })
  await box.advance(30 * MINUTE)
  assert.deepEqual(box.adhans(), [])
  wall.become(DHUHR + 59_000, 'sntp')
  await box.settled()
  assert.deepEqual(box.adhans(), [{ prayer: 'dhuhr', phase: 'started' }])
})

test('a box that starts two minutes late does not call', async (t) => {
  const box = await boxInCairo(t, { at: DHUHR + 3 * MINUTE })
  await box.advance(MINUTE)
  assert.deepEqual(box.adhans(), [])
})

test('a card that is read without end does not keep the box from calling', async (t) => {
  const first = await boxInCairo(t)
  await first.close()
  const clock = createManualClock(DHUHR - 20_000)
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const spoil: FixtureOptions['spoil'] = {
    card: (card) => ({
      ...card,
      async list(folder) {
        asked.resolve()
        await answered.promise
        return card.list(folder)
      },
    }),
  }
  const { dataDir, cardDir } = first
  const starting = playerFixture(t, { dataDir, cardDir, clock, files: [], spoil })
  await asked.promise
  clock.advance(30_000)
  const second = await starting
  await second.settled()
  assert.equal(second.box.player.status().adhan, 'dhuhr')
  answered.resolve()
})

test('a clock that is set back does not repeat a prayer of the day', async (t) => {
  const box = await boxInCairo(t)
  await box.advance(MINUTE)
  assert.equal(box.adhans().length, 1)
  for (const back of [5 * MINUTE, 3 * 60 * MINUTE]) {
    box.wall.become(DHUHR - back, 'sntp')
    await box.advance(back + 2 * MINUTE)
    const prayers = box.adhans().filter(({ phase }) => phase === 'started')
    assert.deepEqual(prayers, [])
  }
})

test('a clock that is set forward over a prayer does not skip it', async (t) => {
  const box = await boxInCairo(t)
  box.wall.become(DHUHR + 15 * MINUTE, 'sntp')
  await box.settled()
  assert.deepEqual(box.adhans(), [{ prayer: 'dhuhr', phase: 'started' }])
})

test('set forward by hours is no reason to call to a prayer long begun; set back again, it is called', async (t) => {
  const box = await boxInCairo(t)
  box.wall.become(DHUHR + 60 * MINUTE, 'manual')
  await box.settled()
  assert.deepEqual(box.adhans(), [])
  box.wall.become(DHUHR - 30_000, 'sntp')
  await box.advance(30_000)
  assert.deepEqual(box.adhans(), [{ prayer: 'dhuhr', phase: 'started' }])
})

test('what was called by a clock that was a day ahead is called again on its day', async (t) => {
  const DAY = 24 * 60 * MINUTE
  const box = await boxInCairo(t, { at: DHUHR + DAY })
  // Dhuhr of the 13th comes at the same minute.
  await box.advance(MINUTE)
  assert.equal(box.adhans().length, 1)
  box.wall.become(DHUHR - 10_000, 'sntp')
  await box.advance(10_000)
  const phases = box.adhans().map(({ phase }) => phase)
  assert.deepEqual(phases, ['stopped', 'started'], 'the 12th takes over')
  await box.end()
  box.adhans()
  await box.advance(DAY)
  assert.ok(
    box.adhans().some(({ phase }) => phase === 'started'),
    'the 13th',
  )
})

test('POST /prayer/test-adhan plays the configured adhan and answers what sounds', async (t) => {
  const box = await boxInCairo(t)
  const reply = await box.post('/prayer/test-adhan')
  const { success, state, track, adhan, volume } = reply.json()
  assert.deepEqual([success, state, track, adhan, volume], [true, 'playing', MAKKAH, 'manual', 80])
  assert.deepEqual(box.loaded(), [onCard(box.cardDir, MAKKAH)])
  await box.post('/prayer/test-adhan')
  assert.equal(box.audio.loaded.length, 1, 'an adhan that sounds is not cut short')
})

test('two who test the adhan at once hear it from its beginning once', async (t) => {
  const box = await boxInCairo(t)
  const tests = await Promise.all(
    ['', '?prayer=fajr'].map((of) => box.post(`/prayer/test-adhan${of}`)),
  )
  // Whose sounds are found first is the one that both hear.
  const [heard, also] = tests.map((reply) => reply.json().adhan)
  assert.match(heard, /^(manual|fajr)$/)
  assert.equal(also, heard)
  assert.equal(box.audio.loaded.length, 1)
})

test('a card with the adhan does not start that of a prayer over', async (t) => {
  const box = await boxInCairo(t)
  const uid = '04A1B2C3'
  await box.post('/rfid/cards', { uid, name: 'Adhan', binding: { type: 'adhan' } })
  await box.advance(MINUTE)
  box.reader.put(uid)
  await box.settled()
  assert.equal((await box.status()).adhan, 'dhuhr')
  assert.equal(box.audio.loaded.length, 1)
  assert.deepEqual(box.adhans(), [{ prayer: 'dhuhr', phase: 'started' }])
})

test('without a file of their own the chime sounds: a short WAV that the box made itself', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/prayer/config', { adhan: { path: '' } })
  const { state, track } = (await box.post('/prayer/test-adhan')).json()
  assert.deepEqual([state, track], ['playing', 'chime'])
  const chime = path.join(box.dataDir, 'chime.wav')
  assert.deepEqual(box.loaded(), [chime])
  const bytes = readFileSync(chime)
  assert.equal(bytes.toString('latin1', 0, 4), 'RIFF')
  assert.equal(bytes.readUInt32LE(4), bytes.length - 8)
  assert.equal(bytes.readUInt32LE(40), bytes.length - 44)
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset + 44, (bytes.length - 44) / 2)
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  assert.ok(peak > 6_000 && peak < 30_000, `peak ${peak}`)
})

test('a missing adhan is a clear error of test-adhan, a boot failure, and a chime at prayer', async (t) => {
  const box = await boxInCairo(t)
  rmSync(onCard(box.cardDir, MAKKAH))
  const reply = await box.post('/prayer/test-adhan')
  assert.equal(reply.statusCode, 400)
  assert.match(reply.json().error, /^adhan\.path: names no playable file on the card/)
  assert.equal(box.audio.loaded.length, 0)
  await box.advance(MINUTE)
  assert.deepEqual(box.adhans(), [
    { prayer: 'dhuhr', phase: 'started' },
    { prayer: 'dhuhr', phase: 'chime' },
  ])
  assert.equal((await box.status()).track, 'chime')
  const { boot_failures } = (await box.get('/system')).json()
  assert.equal(boot_failures.length, 1)
  assert.equal(boot_failures[0].component, 'adhan')
  assert.match(boot_failures[0].error, /^Adhan\/makkah\.mp3: names no playable file/)
})

test('an adhan that is missing at boot is a boot failure, until the file is there', async (t) => {
  const first = await boxInCairo(t)
  await first.close()
  const second = await playerFixture(t, { dataDir: first.dataDir, files: ['Husary/001.mp3'] })
  const failures = async () => (await second.get('/system')).json().boot_failures
  await second.settled()
  assert.equal((await failures())[0]?.component, 'adhan')
  second.putFile(MAKKAH)
  await second.post('/prayer/config', { adhan: { volume: 1 } })
  await second.settled()
  assert.deepEqual(await failures(), [])
})

test('an adhan that the engine cannot play is announced by the chime, and the surah goes on', async (t) => {
  const box = await boxInCairo(t)
  box.audio.unplayable.add(onCard(box.cardDir, MAKKAH))
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  box.audio.playTo(7_000)
  await box.advance(MINUTE)
  assert.equal((await box.status()).track, 'chime')
  const { boot_failures } = (await box.get('/system')).json()
  assert.match(boot_failures[0].error, /unrecognised format/)
  await box.end()
  const { surah_number, position } = await box.status()
  assert.deepEqual([surah_number, position], [2, 7_000])
})

test('with nothing that can be played the surah goes on as if nothing had happened', async (t) => {
  const box = await boxInCairo(t)
  box.audio.unplayable.add(onCard(box.cardDir, MAKKAH))
  box.audio.unplayable.add(path.join(box.dataDir, 'chime.wav'))
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  box.audio.playTo(7_000)
  const reply = await box.post('/prayer/test-adhan')
  assert.equal(reply.statusCode, 500)
  const { state, surah_number, position, volume } = await box.status()
  assert.deepEqual([state, surah_number, position, volume], ['playing', 2, 7_000, 50])
})

test('an adhan that breaks off goes on with the surah and says that it failed', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  await box.advance(MINUTE)
  await box.end('lost', 'read error')
  assert.deepEqual(
    box.adhans().map(({ phase }) => phase),
    ['started', 'failed'],
  )
  assert.equal((await box.status()).surah_number, 2)
})

test('the card pulled out during the adhan leaves nothing to go on with', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/prayer/config', { adhan: { path: '' } })
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  await box.advance(MINUTE)
  await box.box.player.cardRemoved()
  assert.equal((await box.status()).adhan, 'dhuhr', 'the chime is not on the card')
  await box.end()
  const { state, error } = await box.status()
  assert.deepEqual([state, error], ['stopped', 'the card was removed'])
})

test('a prayer that begins during another adhan is called', async (t) => {
  const box = await boxInCairo(t)
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  box.audio.playTo(5_000)
  await box.post('/prayer/test-adhan')
  await box.advance(MINUTE)
  assert.equal((await box.status()).adhan, 'dhuhr')
  assert.deepEqual(box.adhans(), [
    { prayer: 'manual', phase: 'started' },
    { prayer: 'manual', phase: 'stopped' },
    { prayer: 'dhuhr', phase: 'started' },
  ])
  await box.end()
  const { surah_number, position } = await box.status()
  assert.deepEqual([surah_number, position], [2, 5_000])
})

test('an offset that moves a prayer which was called today does not call it again', async (t) => {
  const box = await boxInCairo(t)
  await box.advance(MINUTE)
  await box.end()
  box.adhans()
  await box.post('/prayer/config', { offsets_min: [0, 0, 5, 0, 0, 0] })
  await box.advance(10 * MINUTE)
  assert.deepEqual(box.adhans(), [])
})

test('what resumes by itself after a power cut waits for the adhan to end', async (t) => {
  const first = await boxInCairo(t)
  await first.post('/settings/auto-resume', { enabled: true })
  await first.post('/prayer/config', { adhan: { path: '' } })
  await first.post('/playback/play', { path: 'Husary/002.mp3' })
  await first.close()
  const clock = createManualClock(DHUHR - MINUTE)
  const second = await playerFixture(t, { dataDir: first.dataDir, clock, files: [] })
  second.clock.advance(MINUTE)
  await second.settled()
  for (const file of FILES) second.putFile(file)
  await second.post('/library/rescan')
  await second.settled()
  assert.equal(second.box.player.status().adhan, 'dhuhr')
  second.audio.end()
  await second.settled()
  await second.settled()
  assert.equal(second.box.player.status().surah_number, 2)
})
