import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createManualWallClock } from '../../testing/manual-wall-clock.ts'
import { playerFixture } from '../../testing/player-fixture.ts'
import { createTwinClock } from '../../testing/twin-clock.ts'
import {
  adhansThatSound,
  createWallReader,
  type Daily,
  datesOf,
  expectedAdhans,
  expectedSchedules,
  type Happening,
  type Life,
  schedulesThatFire,
} from './testing/expected-year.ts'

const YEAR = 2026
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ADHAN_MS = 4 * MINUTE
const CUTS = 60
const FILES = ['Adhan/makkah.mp3', 'Husary/001.mp3', 'Husary/002.mp3']

const BERLIN = { lat: 52.52, lng: 13.405 }
// Umm al-Qura, so that Ramadan changes a time; Berlin, so that the clock changes twice.
const CONFIG = { method: 3, asr_hanafi: false, ramadan_isha: true } as const
const EVERY_DAY = 127
const WORKDAYS = 0b0111110
const FRIDAY = 1 << 5

const SCHEDULES: (Daily & { target: object; volume?: number })[] = [
  // In the hour that is skipped in March and comes twice in October.
  { id: 1, hour: 2, minute: 30, days: EVERY_DAY, target: surah(1) },
  { id: 2, hour: 7, minute: 15, days: WORKDAYS, target: surah(2), volume: 40 },
  // Falls into the adhan of Dhuhr on some days of summer.
  {
    id: 3,
    hour: 13,
    minute: 10,
    days: EVERY_DAY,
    target: { type: 'stream', url: 'http://a.example/' },
  },
  { id: 4, hour: 11, minute: 0, days: FRIDAY, target: { type: 'path', path: 'Husary/002.mp3' } },
]

function surah(number: number) {
  return { type: 'surah', reciter: 'Husary', surah: number }
}

/** Small, fast and the same every time (mulberry32). */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/**
 * Power cuts anywhere, in the middle of an adhan, and just before something is due; off for seconds
 * or hours, and then without the time for a while.
 */
function planLives(
  random: (below: number) => number,
  from: number,
  until: number,
  moments: number[],
) {
  const anywhere = () => from + DAY + random(until - from - 2 * DAY)
  const aMoment = () => moments[40 + random(moments.length - 80)] ?? 0
  const after = () => aMoment() + random(ADHAN_MS)
  const before = () => aMoment() - random(MINUTE)
  const cuts = Array.from({ length: CUTS }, (_, index) => [anywhere, after, before][index % 3]?.())
    // Not on the full second: what is due then is either before it or after.
    .map((at = 0) => at + 0.5)
    .sort((a, b) => a - b)
  const lives: Life[] = []
  let boot_at = from
  let trusted_at = from
  for (const cut_at of [...cuts, until]) {
    if (cut_at <= boot_at) continue
    lives.push({ boot_at, trusted_at, cut_at })
    boot_at = Math.ceil(cut_at) + (random(3) ? random(120) * SECOND : random(3 * 60) * MINUTE)
    trusted_at = boot_at + (random(2) ? 0 : random(10 * 60) * SECOND)
  }
  return lives
}

type Log = { adhans: Happening[]; fired: Happening[]; skipped: Set<string> }

async function live(t: TestContext, life: Life, dataDir: string, moments: number[], log: Log) {
  const clock = createTwinClock(life.boot_at)
  const wall = createManualWallClock(clock, 'none')
  // What a machine without a battery for its clock believes.
  wall.become(0, 'none')
  const box = await playerFixture(t, { clock, wall, files: FILES, dataDir })
  let adhanEnds = Number.POSITIVE_INFINITY
  const told = new Map<number, number>()

  box.events.on('adhan', ({ prayer, phase }) => {
    if (phase !== 'started') return
    assert.ok(wall.isTrusted(), 'an adhan without the time')
    log.adhans.push({ name: prayer, at: 0, happens_at: clock.now() })
    adhanEnds = clock.now() + ADHAN_MS
  })
  box.events.on('schedules', ({ schedules }) => {
    for (const { id, last_result } of schedules) {
      if (!last_result || told.get(id) === last_result.at) continue
      told.set(id, last_result.at)
      const at = last_result.at * 1000
      assert.notEqual(last_result.outcome, 'failed', last_result.reason)
      if (last_result.outcome === 'skipped') log.skipped.add(`${id} ${at}`)
      else if (at > life.boot_at - HOUR)
        log.fired.push({ name: String(id), at, happens_at: clock.now() })
    }
  })
  const { schedules: kept } = (await box.get('/schedules')).json()
  const isNew = kept.length === 0
  for (const { id, last_result } of kept) {
    if (!last_result) continue
    told.set(id, last_result.at)
    if (last_result.outcome === 'skipped') log.skipped.add(`${id} ${last_result.at * 1000}`)
  }

  async function reach(moment: number) {
    clock.advance(moment - clock.now())
    await box.settled()
    await box.settled()
  }

  if (life.trusted_at < life.cut_at) {
    await reach(life.trusted_at)
    if (isNew) await setUp(box)
    wall.become(clock.now(), 'sntp')
    await box.settled()
    await box.settled()
    for (const moment of [...moments, life.cut_at]) {
      if (moment <= life.trusted_at || moment > life.cut_at) continue
      while (adhanEnds <= moment) {
        await reach(adhanEnds)
        adhanEnds = Number.POSITIVE_INFINITY
        box.audio.end()
        await box.settled()
        await box.settled()
        assert.equal(box.box.player.status().adhan, undefined)
      }
      await reach(moment)
    }
  }
  // The power goes: nothing is stopped in order.
  await box.box.library.stop()
  box.db.close()
}

/** In memory where that is to be had: thousands of flushes to a disk would be most of the test. */
function memoryDir(t: TestContext): string {
  const dir = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'player-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

async function setUp({ post }: Awaited<ReturnType<typeof playerFixture>>) {
  const adhan = { enabled: true, prayer_mask: 61, volume: 70, path: FILES[0] }
  await post('/settings/timezone', { timezone: 'CET-1CEST,M3.5.0,M10.5.0/3' })
  await post('/settings/auto-resume', { enabled: true })
  const reply = await post('/prayer/config', { ...BERLIN, ...CONFIG, adhan })
  assert.equal(reply.statusCode, 200, reply.body)
  for (const { id, ...schedule } of SCHEDULES) {
    assert.equal((await post('/schedules', schedule)).json().id, id)
  }
}

test('a year with power cuts, Ramadan and two changes of the clock: each adhan and schedule once, at its minute', async (t) => {
  const read = createWallReader('Europe/Berlin')
  const dates = datesOf(YEAR)
  const from = Date.parse(`${YEAR}-01-01T00:00:00+01:00`)
  const until = Date.parse(`${YEAR + 1}-01-01T00:00:00+01:00`)
  const inYear = ({ at }: { at: number }) => at > from && at < until
  const adhans = expectedAdhans(dates, BERLIN, CONFIG).filter(inYear)
  const schedules = SCHEDULES.flatMap((schedule) => expectedSchedules(read, dates, schedule))
  const moments = [...adhans, ...schedules].map(({ at }) => at).sort((a, b) => a - b)
  const lives = planLives(createRandom(1447), from, until, moments)
  const sounding = adhansThatSound(adhans, lives)
  const firing = schedulesThatFire(schedules, sounding, lives, ADHAN_MS)

  const log: Log = { adhans: [], fired: [], skipped: new Set() }
  const dataDir = memoryDir(t)
  for (const life of lives) await live(t, life, dataDir, moments, log)

  const line = ({ name, happens_at }: Happening) => `${new Date(happens_at).toISOString()} ${name}`
  assert.deepEqual(log.adhans.map(line), sounding.map(line).sort())
  assert.deepEqual(log.fired.map(line).sort(), firing.map(line).sort())

  const fired = new Set(firing.map(({ name, at }) => `${name} ${at}`))
  const missed = schedules.map(({ name, at }) => `${name} ${at}`).filter((key) => !fired.has(key))
  assert.deepEqual([...log.skipped].sort(), missed.sort(), 'what was missed was told')

  // That the year had in it what it is about.
  assert.ok(sounding.length > 1_700 && sounding.length < adhans.length)
  assert.ok(missed.length > 5)
  assert.ok(
    firing.some(({ at, happens_at }) => happens_at - at > MINUTE),
    'one waited for an adhan',
  )
  const ishaAfterMaghrib = dates.map((_, day) => {
    const [maghrib, isha] = adhans.slice(day * 5 + 3, day * 5 + 5)
    return ((isha?.at ?? 0) - (maghrib?.at ?? 0)) / MINUTE
  })
  assert.equal(ishaAfterMaghrib.filter((minutes) => minutes === 120).length, 30)
})
