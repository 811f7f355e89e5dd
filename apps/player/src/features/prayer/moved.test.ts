import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { PrayerStatus } from '@manara/player-contract/prayer'
import { createManualClock } from '../../testing/manual-clock.ts'
import { playerFixture } from '../../testing/player-fixture.ts'
import { hasMoved } from './domain/has-moved.ts'
import { PRAYER_DEFAULTS } from './prayer.store.ts'

const MINUTE = 60_000
const ISTANBUL = { lat: 41.01, lng: 28.95 }
const LONDON = { lat: 51.51, lng: -0.13 }

/** A box with the place of Istanbul, on a clock that shows UTC, that has just called to Maghrib. */
async function afterMaghrib(t: TestContext) {
  const clock = createManualClock(Date.parse('2026-11-17T14:00:00Z'))
  const box = await playerFixture(t, { clock })
  const notices = { reminder: { enabled: true }, iqama: { enabled: true } }
  await box.post('/prayer/config', { ...ISTANBUL, adhan: { enabled: true }, ...notices })
  const called: string[] = []
  box.events.on('adhan', ({ prayer, phase }) => phase === 'started' && called.push(prayer))
  box.events.on('announcement', ({ kind, prayer, phase }) => {
    if (phase === 'due') called.push(`${kind} ${prayer}`)
  })
  /** Minute by minute, and each sound comes to its end. */
  const until = async (epochMs: number) => {
    while (box.clock.now() < epochMs) {
      box.clock.advance(MINUTE)
      await box.settled()
      box.audio.end()
      await box.settled()
    }
  }
  const maghrib = async () => {
    const status: PrayerStatus = (await box.get('/prayer')).json()
    assert.ok(status.valid)
    return status.epochs.maghrib * 1000
  }
  await until(await maghrib())
  assert.deepEqual(called.splice(0), ['reminder maghrib', 'maghrib'])
  return { ...box, called, until, maghrib }
}

test('a prayer that was called is called again where it is still ahead, with its reminder and iqama', async (t) => {
  const box = await afterMaghrib(t)
  await box.until(box.clock.now() + 20 * MINUTE)
  assert.deepEqual(box.called.splice(0), ['iqama maghrib'])
  const reply = await box.post('/prayer/config', LONDON)
  assert.equal(reply.json().next.name, 'maghrib')
  await box.until((await box.maghrib()) + 20 * MINUTE)
  assert.deepEqual(box.called, ['reminder maghrib', 'maghrib', 'iqama maghrib'])
})

test('a place that is only told more exactly calls nothing twice', async (t) => {
  const box = await afterMaghrib(t)
  const before = await box.maghrib()
  await box.post('/prayer/config', { lng: ISTANBUL.lng - 0.45 })
  assert.ok((await box.maghrib()) > before, 'ahead once more')
  await box.until(before + 5 * MINUTE)
  assert.deepEqual(box.called, [])
})

test('a prayer that has begun at the new place too is not called again', async (t) => {
  const box = await afterMaghrib(t)
  const now = box.clock.now()
  await box.post('/prayer/config', { lng: ISTANBUL.lng + 0.6 })
  await box.until(now + 5 * MINUTE)
  assert.deepEqual(box.called, [])
})

const CALLED = ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha']
const AUCKLAND = { lat: -36.85, lng: 174.76 }
const LOS_ANGELES = { lat: 34.05, lng: -118.24 }
const APIA = { lat: -13.83, lng: -171.76 }

/** A box that calls, with minutes that go by. */
async function boxAt(t: TestContext, at: string, place: object, timezone: string) {
  const clock = createManualClock(Date.parse(at))
  const box = await playerFixture(t, { clock })
  await box.post('/settings/timezone', { timezone })
  await box.post('/prayer/config', { ...place, adhan: { enabled: true } })
  const called: string[] = []
  box.events.on('adhan', ({ prayer, phase }) => phase === 'started' && called.push(prayer))
  const advance = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      clock.advance(MINUTE)
      await box.settled()
      box.audio.end()
      await box.settled()
    }
    return called.splice(0)
  }
  return { ...box, advance }
}

const ZONE = ['/settings/timezone', { timezone: 'PST8PDT,M3.2.0,M11.1.0' }] as const
const PLACE = ['/prayer/config', LOS_ANGELES] as const
for (const [what, order] of [
  ['the place first', [PLACE, ZONE]],
  ['the zone first', [ZONE, PLACE]],
] as const) {
  test(`across the date line the five of the same date are called again, told ${what}`, async (t) => {
    const evening = '2026-01-01T11:00:00Z'
    const box = await boxAt(t, evening, AUCKLAND, 'NZST-12NZDT,M9.5.0,M4.1.0/3')
    assert.deepEqual(await box.advance(24 * 60), CALLED)
    for (const [url, body] of order) assert.equal((await box.post(url, body)).statusCode, 200)
    assert.deepEqual(await box.advance(24 * 60), CALLED)
  })
}

test('a zone that is put right gives a prayer just called another date, and it is not called again', async (t) => {
  const box = await boxAt(t, '2026-01-02T12:00:00Z', APIA, 'UTC0')
  const { epochs } = (await box.get('/prayer')).json()
  const minutes = (epochs.dhuhr * 1000 - box.clock.now()) / MINUTE
  assert.equal((await box.advance(minutes)).at(-1), 'dhuhr')
  await box.post('/settings/timezone', { timezone: '<+13>-13' })
  assert.deepEqual(await box.advance(5), [])
  assert.deepEqual((await box.advance(24 * 60)).toSorted(), CALLED.toSorted())
})

test('half a degree is a move, also from nowhere, and the date line is no distance', () => {
  const at = (lat: number | null, lng: number | null) => ({ ...PRAYER_DEFAULTS, lat, lng })
  assert.equal(hasMoved(at(41, 29), at(41.5, 29.5)), false)
  assert.equal(hasMoved(at(41, 29), at(41.6, 29)), true)
  assert.equal(hasMoved(at(41, 29), at(41, 28.4)), true)
  assert.equal(hasMoved(at(-17, 179.9), at(-17, -179.9)), false)
  assert.equal(hasMoved(at(null, null), at(41, 29)), true)
  assert.equal(hasMoved(at(41, 29), at(null, null)), false)
})
