import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { addDays, formatDate } from '@manara/prayer-times/calendar-date'
import { prayerTimes } from '@manara/prayer-times/prayer-times'
import { PRAYERS } from '@manara/prayer-times/prayers'
import type { Card } from '../../ports/card.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createManualWallClock } from '../../testing/manual-wall-clock.ts'
import { playerFixture } from '../../testing/player-fixture.ts'

const CAIRO = { lat: 30.0312784, lng: 31.2125945, method: 2 } as const
const CAIRO_ZONE = 'EET-2EEST,M4.5.5/0,M10.5.4/24'
const RIYADH = { lat: 24.68773, lng: 46.72185, method: 3 } as const
const DEFAULTS = {
  lat: null,
  lng: null,
  method: 0,
  convention: null,
  custom_angles: null,
  asr_hanafi: false,
  offsets_min: [0, 0, 0, 0, 0, 0],
  high_latitude: 'middle_of_the_night',
  rounding: null,
  ramadan_isha: true,
  hijri_adjust: 0,
  adhan: {
    enabled: false,
    prayer_mask: 61,
    volume: 0,
    path: '',
    dua_path: '',
    prayers: Object.fromEntries(
      ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'].map((prayer) => [
        prayer,
        { path: null, volume: null },
      ]),
    ),
  },
  reminder: { enabled: false, minutes: 10, prayer_mask: 61, volume: 0, path: '' },
  iqama: { enabled: false, minutes: [20, 0, 15, 15, 10, 15], volume: 0, path: '' },
}

const NO_TIME = 'the clock is not set: set the time or connect to a network'

const at = (time: string) => ({ clock: createManualClock(Date.parse(time)) })

test('GET /prayer without a location is public and says what is missing', async (t) => {
  const { get } = await playerFixture(t)
  const reply = await get('/prayer')
  assert.equal(reply.statusCode, 200)
  assert.deepEqual(reply.json(), {
    valid: false,
    reason: 'no location is set: send lat and lng',
    config: DEFAULTS,
  })
})

test('GET /prayer with a clock that is not set is not valid', async (t) => {
  const clock = createManualClock(0)
  const wall = createManualWallClock(clock, 'none')
  const { get, post } = await playerFixture(t, { clock, wall })
  await post('/prayer/config', CAIRO)
  const { valid, reason, times, config } = (await get('/prayer')).json()
  assert.deepEqual([valid, reason, times], [false, NO_TIME, undefined])
  assert.equal(config.lat, CAIRO.lat)
})

test('GET /prayer has every field, in local time by the POSIX rule', async (t) => {
  const { get, post } = await playerFixture(t, at('2025-09-12T10:30:30Z'))
  await post('/settings/timezone', { timezone: CAIRO_ZONE })
  await post('/prayer/config', CAIRO)
  // The official timetable of Cairo for that day.
  const times = {
    fajr: '05:10',
    sunrise: '06:38',
    dhuhr: '12:51',
    asr: '16:22',
    maghrib: '19:04',
    isha: '20:22',
  }
  const epoch = (time: string) => Date.parse(`2025-09-12T${time}+03:00`) / 1000
  assert.deepEqual((await get('/prayer')).json(), {
    valid: true,
    date: '2025-09-12',
    times,
    epochs: Object.fromEntries(
      Object.entries(times).map(([prayer, time]) => [prayer, epoch(time)]),
    ),
    current: 'dhuhr',
    next: { name: 'asr', time: '16:22', epoch: epoch('16:22'), in_s: 2 * 3600 + 51 * 60 + 30 },
    hijri: {
      day: 19,
      month: 3,
      year: 1447,
      month_name: 'Rabi al-Awwal',
      month_name_ar: 'ربيع الأول',
    },
    qibla: 136.01,
    config: { ...DEFAULTS, ...CAIRO },
  })
})

for (const [name, config, timezone, offset_h] of [
  ['Cairo', CAIRO, 'EEST-3', 3],
  ['Riyadh', RIYADH, '<+03>-3', 3],
] as const) {
  test(`GET /prayer/month of ${name} equals the package's times to the minute`, async (t) => {
    const { get, post } = await playerFixture(t)
    await post('/settings/timezone', { timezone })
    await post('/prayer/config', config)
    const { valid, days } = (await get('/prayer/month?year=2025&month=9')).json()
    assert.deepEqual([valid, days.length], [true, 30])
    for (const [index, row] of days.entries()) {
      const date = { year: 2025, month: 9, day: index + 1 }
      const place = { lat: config.lat, lng: config.lng, utc_offset_s: offset_h * 3600 }
      const epochs = prayerTimes(date, place, { method: config.method, asr_hanafi: false })
      assert.equal(row.date, formatDate(date))
      for (const prayer of PRAYERS) {
        assert.equal(row.epochs[prayer] * 1000, epochs[prayer])
        const wall = new Date(epochs[prayer] + offset_h * 3_600_000).toISOString().slice(11, 16)
        assert.equal(row.times[prayer], wall)
      }
    }
  })
}

test('after Isha comes the Fajr of tomorrow, and before Fajr the Isha of yesterday still is', async (t) => {
  const { clock, get, post } = await playerFixture(t, at('2025-09-10T20:00:00Z'))
  await post('/settings/timezone', { timezone: CAIRO_ZONE })
  await post('/prayer/config', CAIRO)
  const late = (await get('/prayer')).json()
  assert.deepEqual([late.date, late.current, late.next.name], ['2025-09-10', 'isha', 'fajr'])
  assert.equal(late.next.epoch, Date.parse('2025-09-11T05:09+03:00') / 1000)
  clock.advance(2 * 3_600_000)
  const early = (await get('/prayer')).json()
  assert.deepEqual([early.date, early.current, early.next.name], ['2025-09-11', 'isha', 'fajr'])
})

test('an Isha after midnight is next until it has come', async (t) => {
  const { get, post } = await playerFixture(t, at('2026-06-20T22:20:00Z'))
  await post('/settings/timezone', { timezone: 'CET-1CEST,M3.5.0,M10.5.0/3' })
  await post('/prayer/config', { lat: 52.52, lng: 13.405, method: 0 })
  const { date, current, next } = (await get('/prayer')).json()
  assert.deepEqual([date, current, next.name], ['2026-06-21', 'maghrib', 'isha'])
  assert.ok(next.in_s < 3_600, `Isha in ${next.in_s} s`)
})

test('POST /prayer/config takes parts, echoes the whole, tells everyone and outlives a restart', async (t) => {
  const first = await playerFixture(t, at('2025-09-10T09:00:00Z'))
  await first.post('/prayer/config', { ...RIYADH, adhan: { volume: 70 } })
  first.news()
  const part = { asr_hanafi: true, offsets_min: [1, 2, 3, 4, 5, -6], adhan: { prayer_mask: 1 } }
  const reply = (await first.post('/prayer/config', part)).json()
  assert.equal(reply.success, true)
  assert.deepEqual(reply.config, {
    ...DEFAULTS,
    ...RIYADH,
    ...part,
    adhan: { ...DEFAULTS.adhan, volume: 70, prayer_mask: 1 },
  })
  assert.deepEqual(first.news(), ['prayer'])
  await first.close()
  const second = await playerFixture(t, { dataDir: first.dataDir })
  assert.deepEqual((await second.get('/prayer')).json().config, reply.config)
})

test('the whole configuration that GET /prayer shows can be sent back', async (t) => {
  const { get, post } = await playerFixture(t)
  const before = (await get('/prayer')).json().config
  assert.equal((await post('/prayer/config', before)).statusCode, 200)
  assert.deepEqual((await get('/prayer')).json().config, before)
})

test('what another phone sets while the card is asked for a sound stays', async (t) => {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const slow = (card: Card): Card => ({
    ...card,
    async resolveFile(path) {
      asked.resolve()
      await answered.promise
      return card.resolveFile(path)
    },
  })
  const box = await playerFixture(t, { spoil: { card: slow } })
  const path = 'Husary/001.mp3'
  const chosen = box.post('/prayer/config', { adhan: { path } })
  await asked.promise
  assert.equal((await box.post('/prayer/config', CAIRO)).statusCode, 200)
  answered.resolve()
  assert.equal((await chosen).statusCode, 200)
  const { config } = (await box.get('/prayer')).json()
  assert.deepEqual([config.lat, config.method, config.adhan.path], [CAIRO.lat, 2, path])
})

test('a path that stays is not asked for again while the card is out', async (t) => {
  const { box, cardDir, post } = await playerFixture(t, { files: ['Adhan/makkah.mp3'] })
  const adhan = { path: 'Adhan/makkah.mp3' }
  assert.equal((await post('/prayer/config', { adhan })).statusCode, 200)
  await box.library.stop()
  rmSync(cardDir, { recursive: true })
  assert.equal((await post('/prayer/config', { adhan, asr_hanafi: true })).statusCode, 200)
})

const six = [0, 0, 0, 0, 0, 0]
const REFUSED: [what: string, body: object | string | undefined, error: RegExp][] = [
  ['no body', undefined, /^body:/],
  ['an array', [], /^body:/],
  ['nothing to change', {}, /^lat:/],
  ['an unknown field', { latitude: 1 }, /^latitude: is not a known field/],
  ['a latitude above 90', { lat: 90.1, lng: 0 }, /^lat:/],
  ['a latitude as text', { lat: '30', lng: 31 }, /^lat:/],
  ['a longitude below -180', { lat: 0, lng: -180.5 }, /^lng:/],
  ['a latitude alone', { lat: 30 }, /^lng: is required/],
  ['a longitude alone', { lng: 30 }, /^lat: is required/],
  ['a method of 5', { method: 5 }, /^method:/],
  ['half a method', { method: 1.5 }, /^method:/],
  ['a method as text', { method: '2' }, /^method:/],
  ['asr_hanafi as a number', { asr_hanafi: 1 }, /^asr_hanafi:/],
  ['five offsets', { offsets_min: six.slice(1) }, /^offsets_min:/],
  ['seven offsets', { offsets_min: [...six, 0] }, /^offsets_min:/],
  ['half an offset', { offsets_min: [0.5, 0, 0, 0, 0, 0] }, /^offsets_min/],
  ['an offset of three hours', { offsets_min: [0, 0, 180, 0, 0, 0] }, /^offsets_min/],
  ['offsets that are no list', { offsets_min: 5 }, /^offsets_min:/],
  ['a Hijri adjustment of 3', { hijri_adjust: 3 }, /^hijri_adjust:/],
  ['an unknown high latitude rule', { high_latitude: 'none' }, /^high_latitude:/],
  ['an unknown rounding', { rounding: 'up' }, /^rounding:/],
  ['ramadan_isha as text', { ramadan_isha: 'yes' }, /^ramadan_isha:/],
  ['adhan as a boolean', { adhan: true }, /^adhan:/],
  ['an unknown adhan field', { adhan: { loud: true } }, /^adhan\.loud:/],
  ['adhan.enabled as text', { adhan: { enabled: 'on' } }, /^adhan\.enabled:/],
  ['a prayer mask of seven bits', { adhan: { prayer_mask: 64 } }, /^adhan\.prayer_mask:/],
  ['a negative prayer mask', { adhan: { prayer_mask: -1 } }, /^adhan\.prayer_mask:/],
  ['an adhan volume of 101', { adhan: { volume: 101 } }, /^adhan\.volume:/],
  ['an adhan path that climbs', { adhan: { path: '../etc/x.mp3' } }, /^adhan\.path:/],
  ['an absolute adhan path', { adhan: { path: '/etc/x.mp3' } }, /^adhan\.path:/],
  ['an encoded adhan path', { adhan: { path: '%2e%2e%2fx.mp3' } }, /^adhan\.path:/],
  ['an adhan path with NUL', { adhan: { path: 'a.mp3\0' } }, /^adhan\.path:/],
  ['an adhan that is not on the card', { adhan: { path: 'no.mp3' } }, /^adhan\.path:/],
  ['an adhan that is no sound', { adhan: { path: 'Husary' } }, /^adhan\.path:/],
]

for (const [what, body, error] of REFUSED) {
  test(`POST /prayer/config refuses ${what} with 400 and changes nothing`, async (t) => {
    const { get, news, post } = await playerFixture(t)
    const before = (await get('/prayer')).json()
    news()
    const reply = await post('/prayer/config', body)
    assert.equal(reply.statusCode, 400, reply.body)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
    assert.match(reply.json().error, error)
    assert.deepEqual((await get('/prayer')).json(), before)
    assert.deepEqual(news(), [])
  })
}

test('POST /prayer/config, test-adhan and stop-adhan without the token are 401', async (t) => {
  const { audio, get, post } = await playerFixture(t)
  for (const url of ['/prayer/config', '/prayer/test-adhan', '/prayer/stop-adhan']) {
    assert.equal((await post(url, CAIRO, 'wrong')).statusCode, 401)
  }
  assert.equal((await get('/prayer')).json().config.lat, null)
  assert.equal(audio.loaded.length, 0)
})

test('GET /prayer/explain tells the rule behind each time, of today and of any date', async (t) => {
  const { get, post } = await playerFixture(t, at('2025-09-10T10:00:00Z'))
  await post('/settings/timezone', { timezone: CAIRO_ZONE })
  await post('/prayer/config', { ...CAIRO, offsets_min: [2, 0, 0, 0, 0, 0] })
  const todays = (await get('/prayer/explain')).json()
  const { times } = (await get('/prayer')).json()
  assert.equal(todays.date, '2025-09-10')
  for (const prayer of PRAYERS) {
    const { time, epoch, raw_epoch, rounded_by_s, offset_min } = todays.prayers[prayer]
    assert.equal(time, times[prayer])
    assert.equal(epoch, raw_epoch + rounded_by_s + offset_min * 60)
  }
  assert.deepEqual(
    [todays.prayers.fajr.angle, todays.prayers.fajr.offset_min, todays.prayers.fajr.rule.kind],
    [-19.5, 2, 'angle'],
  )
  assert.ok(Math.abs(todays.prayers.fajr.sun_altitude + 19.5) < 0.01)
  assert.match(todays.prayers.fajr.text, /19\.5° below the eastern horizon/)
  const other = (await get('/prayer/explain?date=2024-02-29')).json()
  assert.equal(other.date, '2024-02-29')
})

test('GET /prayer/explain and /month without a location say so', async (t) => {
  const { get } = await playerFixture(t)
  for (const url of ['/prayer/explain', '/prayer/month']) {
    const { valid, reason } = (await get(url)).json()
    assert.deepEqual([valid, reason], [false, 'no location is set: send lat and lng'])
  }
})

test('GET /prayer shows the times of a clock that nobody vouches for but that can be true', async (t) => {
  const clock = createManualClock()
  const { get, post } = await playerFixture(t, {
    clock,
    wall: createManualWallClock(clock, 'none'),
  })
  await post('/prayer/config', CAIRO)
  assert.equal((await get('/prayer')).json().valid, true)
})

test('a date or a month needs no clock; today does', async (t) => {
  const clock = createManualClock(0)
  const { get, post } = await playerFixture(t, {
    clock,
    wall: createManualWallClock(clock, 'none'),
  })
  await post('/prayer/config', CAIRO)
  assert.equal((await get('/prayer/explain?date=2026-02-01')).json().valid, true)
  assert.equal((await get('/prayer/month?year=2026&month=2')).json().days.length, 28)
  for (const url of ['/prayer/explain', '/prayer/month', '/prayer/month?year=2026']) {
    assert.equal((await get(url)).json().reason, NO_TIME)
  }
})

const REFUSED_QUERIES: [url: string, error: RegExp][] = [
  ['/prayer/explain?date=today', /^date: must be YYYY-MM-DD/],
  ['/prayer/explain?date=2026-02-29', /^date: is not a day/],
  ['/prayer/explain?date=2026-13-01', /^date:/],
  ['/prayer/explain?date=0050-01-01', /^date: must be YYYY-MM-DD, in a year from 1900/],
  ['/prayer/explain?day=2026-02-01', /^day:/],
  ['/prayer/month?month=13', /^month:/],
  ['/prayer/month?month=0', /^month:/],
  ['/prayer/month?year=26', /^year:/],
  ['/prayer/month?year=2026&month=february', /^month:/],
]

for (const [url, error] of REFUSED_QUERIES) {
  test(`GET ${url} is 400`, async (t) => {
    const { get, post } = await playerFixture(t)
    await post('/prayer/config', CAIRO)
    const reply = await get(url)
    assert.equal(reply.statusCode, 400)
    assert.match(reply.json().error, error)
  })
}

test('the Ramadan Isha of Umm al-Qura is 120 minutes after Maghrib, when it is asked for', async (t) => {
  const { get, post } = await playerFixture(t)
  await post('/settings/timezone', { timezone: '<+03>-3' })
  const gaps = async (ramadan_isha: boolean) => {
    await post('/prayer/config', { ...RIYADH, ramadan_isha })
    const { days } = (await get('/prayer/month?year=2026&month=2')).json()
    return days.map(({ epochs }: { epochs: Record<string, number> }) =>
      Math.round((Number(epochs.isha) - Number(epochs.maghrib)) / 60),
    )
  }
  // Ramadan 1447 began on 18 February 2026.
  const ramadan = await gaps(true)
  assert.deepEqual([ramadan[16], ramadan[17]], [90, 120])
  assert.deepEqual(new Set(await gaps(false)), new Set([90]))
})

test('hijri_adjust moves the Hijri date', async (t) => {
  const { get, post } = await playerFixture(t, at('2025-09-10T10:00:00Z'))
  await post('/prayer/config', { ...CAIRO, hijri_adjust: -2 })
  assert.equal((await get('/prayer')).json().hijri.day, 15)
})

test('a prayer that begins is told to everyone, and so is a change of the clock or the zone', async (t) => {
  const { clock, news, post, settled, wall } = await playerFixture(t, at('2025-09-10T09:51:00Z'))
  await post('/settings/timezone', { timezone: CAIRO_ZONE })
  await post('/prayer/config', CAIRO)
  news()
  clock.advance(59_999)
  await settled()
  assert.deepEqual(news(), [])
  clock.advance(1)
  await settled()
  assert.deepEqual(news(), ['prayer'])
  wall.become(Date.parse('2025-09-10T12:00:00Z'), 'sntp')
  assert.ok(news().includes('prayer'))
  await post('/settings/timezone', { timezone: 'UTC0' })
  assert.ok(news().includes('prayer'))
})

test('the days of a month are those of its calendar, leap days included', async (t) => {
  const { get, post } = await playerFixture(t)
  await post('/prayer/config', CAIRO)
  const { days } = (await get('/prayer/month?year=2028&month=2')).json()
  assert.equal(days.at(-1).date, formatDate(addDays({ year: 2028, month: 3, day: 1 }, -1)))
})
