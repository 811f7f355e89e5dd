import assert from 'node:assert/strict'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Schedule } from '@manara/player-contract/schedules'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createManualWallClock } from '../../testing/manual-wall-clock.ts'
import { type FixtureOptions, playerFixture } from '../../testing/player-fixture.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const EVERY_DAY = 127
const BERLIN = 'CET-1CEST,M3.5.0,M10.5.0/3'
const LOS_ANGELES = 'PST8PDT,M3.2.0,M11.1.0'
/** A Thursday. */
const START = Date.parse('2026-01-01T00:00:00Z')
const surah = { type: 'surah', reciter: 'Husary', surah: 2 }
const six = { hour: 6, minute: 0, days: EVERY_DAY, target: surah }

async function box(t: TestContext, options: FixtureOptions = {}) {
  const fixture = await playerFixture(t, options)
  fixture.seen.splice(0)
  return {
    ...fixture,
    async add(body: object): Promise<Schedule> {
      const reply = await fixture.post('/schedules', body)
      assert.equal(reply.statusCode, 200, reply.body)
      return reply.json()
    },
    list: async (): Promise<Schedule[]> => (await fixture.get('/schedules')).json().schedules,
    async first(): Promise<Schedule> {
      const [schedule] = (await fixture.get('/schedules')).json().schedules
      return schedule
    },
    status: async () => (await fixture.get('/playback/status')).json(),
    async advance(ms: number) {
      fixture.clock.advance(ms)
      await fixture.settled()
    },
  }
}

const seconds = (text: string) => Date.parse(text) / 1000

test('POST /schedules adds, answers the record, tells everyone and GET is public', async (t) => {
  const { add, get, news } = await box(t)
  const { id, ...added } = await add({ ...six, volume: 40 })
  assert.deepEqual(added, {
    success: true,
    ...six,
    volume: 40,
    enabled: true,
    next_fire: seconds('2026-01-01T06:00:00Z'),
    last_result: null,
  })
  assert.deepEqual(news(), ['schedules'])
  const { success: _, ...shown } = added as typeof added & { success: boolean }
  assert.deepEqual((await get('/schedules')).json(), { schedules: [{ id, ...shown }] })
})

test('a schedule rises at its volume, which what it replaces does not take on', async (t) => {
  const { add, advance, audio, post } = await box(t)
  await add({ ...six, volume: 33 })
  await advance(6 * 60 * MINUTE - 1)
  await post('/playback/play', { path: 'Husary/001.mp3' })
  await advance(1)
  const { volume, fade_in_ms, fade_out_ms } = audio.loaded.at(-1) ?? {}
  assert.deepEqual([volume, fade_in_ms, fade_out_ms], [33, 3000, 500])
  assert.deepEqual(audio.whileSounding, [])
})

test('a schedule fires at its minute, with its volume, once that day, and again the next', async (t) => {
  const { add, advance, audio, cardDir, first, news, status } = await box(t)
  await add({ ...six, volume: 33 })
  await advance(6 * 60 * MINUTE - 1)
  assert.equal(audio.loaded.length, 0)
  news()
  await advance(1)
  assert.deepEqual(audio.loaded[0]?.source, {
    kind: 'file',
    path: path.join(cardDir, 'Husary/002.mp3'),
  })
  const { state, surah_number, volume } = await status()
  assert.deepEqual([state, surah_number, volume], ['playing', 2, 33])
  assert.ok(news().includes('schedules'))
  const { next_fire, last_result } = await first()
  assert.equal(next_fire, seconds('2026-01-02T06:00:00Z'))
  assert.deepEqual(last_result, {
    outcome: 'fired',
    at: seconds('2026-01-01T06:00:00Z'),
    reason: '',
  })
  await advance(12 * 60 * MINUTE)
  assert.equal(audio.loaded.length, 1)
  await advance(12 * 60 * MINUTE)
  assert.equal(audio.loaded.length, 2)
})

test('days:0 fires once and disables itself', async (t) => {
  const { add, advance, audio, first } = await box(t)
  await add({ ...six, days: 0 })
  await advance(3 * DAY)
  assert.equal(audio.loaded.length, 1)
  const { enabled, next_fire, last_result } = await first()
  assert.deepEqual([enabled, next_fire, last_result?.outcome], [false, null, 'fired'])
})

test('days are bits from Sunday to Saturday', async (t) => {
  const { add } = await box(t)
  const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
  for (const [bit, day] of days.entries()) {
    const { next_fire } = await add({ ...six, hour: 12, days: 1 << bit })
    const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
    assert.equal(weekday.format(Number(next_fire) * 1000), day)
  }
})

test('next_fire is local by the POSIX rule: after a gap, and the first of two', async (t) => {
  const { add, first, post, wall } = await box(t)
  await post('/settings/timezone', { timezone: BERLIN })
  await add({ ...six, hour: 2, minute: 30 })
  assert.equal((await first()).next_fire, seconds('2026-01-01T01:30:00Z'))
  wall.become(Date.parse('2026-03-28T12:00:00Z'), 'sntp')
  assert.equal((await first()).next_fire, seconds('2026-03-29T01:00:00Z'))
  wall.become(Date.parse('2026-10-24T12:00:00Z'), 'sntp')
  assert.equal((await first()).next_fire, seconds('2026-10-25T00:30:00Z'))
})

test('a time that the clock shows twice fires once', async (t) => {
  const clock = createManualClock(Date.parse('2026-10-24T22:00:00Z'))
  const { add, advance, audio, post } = await box(t, { clock })
  await post('/settings/timezone', { timezone: BERLIN })
  await add({ ...six, hour: 2, minute: 30 })
  await advance(2.5 * 60 * MINUTE)
  assert.equal(audio.loaded.length, 1)
  await advance(3 * 60 * MINUTE)
  assert.equal(audio.loaded.length, 1)
})

test('a change of the zone plans anew and tells everyone', async (t) => {
  const { add, advance, audio, first, news, post } = await box(t)
  await add(six)
  news()
  await post('/settings/timezone', { timezone: '<+05>-5' })
  assert.ok(news().includes('schedules'))
  assert.equal((await first()).next_fire, seconds('2026-01-01T01:00:00Z'))
  await advance(60 * MINUTE)
  assert.equal(audio.loaded.length, 1)
})

for (const [what, days, before] of [
  ['every day', EVERY_DAY, 2],
  ['on Fridays', 1 << 5, 1],
] as const) {
  test(`what fires at six ${what} and did by a wrong zone fires at six of the right one`, async (t) => {
    const { add, advance, audio, first, post } = await box(t)
    await add({ ...six, days })
    await advance(DAY + 6 * 60 * MINUTE)
    assert.equal(audio.loaded.length, before)
    await post('/settings/timezone', { timezone: LOS_ANGELES })
    assert.equal((await first()).next_fire, seconds('2026-01-02T14:00:00Z'))
    await advance(8 * 60 * MINUTE)
    assert.equal(audio.loaded.length, before + 1)
    await post('/settings/timezone', { timezone: 'UTC0' })
    await advance(10 * 60 * MINUTE)
    assert.equal(audio.loaded.length, before + 1)
  })
}

test('a time that a zone an hour behind brings once more that morning was heard', async (t) => {
  const { add, advance, audio, first, post } = await box(t)
  await post('/settings/timezone', { timezone: BERLIN })
  await add(six)
  await advance(5 * 60 * MINUTE)
  assert.equal(audio.loaded.length, 1)
  await post('/settings/timezone', { timezone: 'GMT0BST,M3.5.0/1,M10.5.0' })
  assert.equal((await first()).next_fire, seconds('2026-01-02T06:00:00Z'))
  await advance(2 * 60 * MINUTE)
  assert.equal(audio.loaded.length, 1)
})

test('setting the time plans anew', async (t) => {
  const { add, audio, post, settled } = await box(t)
  await add(six)
  await post('/settings/time', { epoch: seconds('2026-01-01T06:00:30Z') })
  await settled()
  assert.equal(audio.loaded.length, 1, 'thirty seconds late is in time')
})

test('missed by over 60 s because the box was off: skipped, and told', async (t) => {
  const first = await box(t)
  await first.add(six)
  await first.add({ ...six, minute: 30, days: 0 })
  await first.close()
  const clock = createManualClock(Date.parse('2026-01-01T06:31:01Z'))
  const second = await box(t, { dataDir: first.dataDir, clock })
  await second.settled()
  assert.equal(second.audio.loaded.length, 0)
  const [daily, once] = await second.list()
  assert.equal(daily?.last_result?.outcome, 'skipped')
  assert.equal(daily?.last_result?.at, seconds('2026-01-01T06:00:00Z'))
  assert.match(daily?.last_result?.reason ?? '', /the box was off/)
  assert.equal(daily?.next_fire, seconds('2026-01-02T06:00:00Z'))
  assert.deepEqual(
    [once?.last_result?.outcome, once?.enabled, once?.next_fire],
    ['skipped', false, null],
  )
})

test('a single one that was missed days ago is skipped and disabled as well', async (t) => {
  const first = await box(t)
  await first.add({ ...six, days: 0 })
  await first.close()
  const clock = createManualClock(START + 10 * DAY)
  const second = await box(t, { dataDir: first.dataDir, clock })
  await second.settled()
  const once = await second.first()
  assert.deepEqual(
    [once.enabled, once.last_result?.outcome, once.last_result?.at],
    [false, 'skipped', seconds('2026-01-01T06:00:00Z')],
  )
  assert.equal(second.audio.loaded.length, 0)
})

test('missed by 60 s or less it still fires', async (t) => {
  const first = await box(t)
  await first.add(six)
  await first.close()
  const clock = createManualClock(Date.parse('2026-01-01T06:01:00Z'))
  const second = await box(t, { dataDir: first.dataDir, clock })
  await second.settled()
  assert.equal(second.audio.loaded.length, 1)
  await second.close()
  const third = await box(t, { dataDir: first.dataDir, clock })
  await third.settled()
  assert.equal(third.audio.loaded.length, 0, 'a restart does not repeat it')
})

test('a jump of the clock over it skips it; back again it fires, and then not twice', async (t) => {
  const { add, advance, audio, first, news, settled, wall } = await box(t)
  await add(six)
  news()
  wall.become(START + 7 * 60 * MINUTE, 'sntp')
  await settled()
  assert.equal(audio.loaded.length, 0)
  assert.equal((await first()).last_result?.outcome, 'skipped')
  assert.ok(news().includes('schedules'))
  wall.become(START + 6 * 60 * MINUTE - 10_000, 'sntp')
  await advance(10_000)
  assert.equal(audio.loaded.length, 1)
  wall.become(START + 5 * 60 * MINUTE, 'sntp')
  assert.equal((await first()).next_fire, seconds('2026-01-02T06:00:00Z'))
  await advance(2 * 60 * MINUTE)
  assert.equal(audio.loaded.length, 1)
})

test('a single one that a wrong clock has skipped fires at its time when the clock is right again', async (t) => {
  const { add, advance, audio, first, seen, settled, wall } = await box(t)
  await add({ ...six, days: 0 })
  wall.become(START + 7 * 60 * MINUTE, 'manual')
  await settled()
  const skipped = await first()
  assert.deepEqual([skipped.enabled, skipped.last_result?.outcome], [false, 'skipped'])
  wall.become(START + 60 * MINUTE, 'sntp')
  await settled()
  const told = seen.findLast(({ event }) => event === 'schedules')?.data as { schedules: object[] }
  assert.deepEqual(told.schedules, [await first()])
  const { enabled, last_result, next_fire } = await first()
  assert.deepEqual([enabled, last_result, next_fire], [true, null, skipped.last_result?.at])
  await advance(6 * 60 * MINUTE)
  assert.equal(audio.loaded.length, 1)
  assert.equal((await first()).enabled, false)
})

test('what a wrong clock has skipped is forgotten when it is right again, and what is missed then is told', async (t) => {
  const { add, advance, first, patch, post, settled, wall } = await box(t)
  const { id } = await add(six)
  wall.become(START + 5 * DAY, 'manual')
  await settled()
  assert.equal((await first()).last_result?.outcome, 'skipped')
  wall.become(START + DAY, 'sntp')
  await settled()
  assert.equal((await first()).last_result, null)
  await patch(`/schedules/${id}`, { days: 0 })
  await advance(6 * 60 * MINUTE - MINUTE)
  await post('/prayer/test-adhan')
  await post('/playback/pause')
  await advance(20 * MINUTE)
  await post('/prayer/stop-adhan')
  await settled()
  const { enabled, last_result } = await first()
  assert.deepEqual([enabled, last_result?.at], [false, seconds('2026-01-02T06:00:00Z')])
})

test('what has fired by a clock that was wrong by days is no result of today', async (t) => {
  const { add, advance, first, settled, wall } = await box(t)
  await add(six)
  wall.become(START + 5 * DAY + 6 * 60 * MINUTE - 10_000, 'manual')
  await advance(10_000)
  assert.equal((await first()).last_result?.outcome, 'fired')
  wall.become(START + DAY, 'sntp')
  await settled()
  assert.equal((await first()).last_result, null)
})

test('a clock that is not set fires nothing and knows no next_fire', async (t) => {
  const clock = createManualClock(0.25)
  const wall = createManualWallClock(clock, 'none')
  const { add, advance, audio, first } = await box(t, { clock, wall })
  assert.equal((await add({ ...six, days: 0 })).next_fire, null)
  await advance(2 * DAY)
  assert.equal(audio.loaded.length, 0)
  wall.become(START, 'sntp')
  const { next_fire, last_result } = await first()
  assert.deepEqual([next_fire, last_result], [seconds('2026-01-01T06:00:00Z'), null])
  await advance(6 * 60 * MINUTE)
  assert.equal(audio.loaded.length, 1)
})

test('a schedule due during the adhan follows it; the adhan is not cut short', async (t) => {
  const clock = createManualClock(Date.parse('2025-09-12T09:50:00Z'))
  const { add, advance, audio, post, settled, status } = await box(t, { clock })
  const adhan = { enabled: true }
  await post('/prayer/config', { lat: 30.0312784, lng: 31.2125945, method: 2, adhan })
  await add({ ...six, hour: 9, minute: 51 })
  await add({ ...six, hour: 9, minute: 52, target: { ...surah, surah: 1 } })
  await advance(MINUTE)
  assert.equal((await status()).adhan, 'dhuhr')
  await advance(2 * MINUTE)
  assert.equal((await status()).adhan, 'dhuhr')
  assert.equal(audio.loaded.length, 1)
  audio.end()
  await settled()
  await settled()
  assert.equal(audio.loaded.length, 3, 'both follow, in their order')
  assert.equal((await status()).surah_number, 1)
})

/** Due at six, with an adhan that began before it and sounds at two minutes past. */
async function heldUp(t: TestContext, change: object = {}) {
  const fixture = await box(t)
  const { id } = await fixture.add({ ...six, ...change })
  await fixture.advance(6 * 60 * MINUTE - MINUTE)
  await fixture.post('/prayer/test-adhan')
  await fixture.advance(3 * MINUTE)
  assert.equal((await fixture.status()).adhan, 'manual')
  return {
    ...fixture,
    url: `/schedules/${id}`,
    async adhanOver() {
      fixture.audio.end()
      await fixture.settled()
      await fixture.settled()
    },
  }
}

test('one that is moved while it waits for the adhan plays at its new time alone', async (t) => {
  const { adhanOver, advance, audio, first, patch, url } = await heldUp(t)
  const { next_fire } = (await patch(url, { minute: 10 })).json()
  assert.equal(next_fire, seconds('2026-01-01T06:10:00Z'))
  await adhanOver()
  assert.equal(audio.loaded.length, 1, 'the adhan alone')
  assert.equal((await first()).next_fire, next_fire)
  await advance(8 * MINUTE)
  assert.equal(audio.loaded.length, 2)
  assert.equal((await first()).last_result?.at, next_fire)
})

test('one that is switched off and on while it waits for the adhan waits for tomorrow', async (t) => {
  const { adhanOver, audio, first, post, url } = await heldUp(t)
  for (const enabled of [false, true]) await post(`${url}/enable`, { enabled })
  await adhanOver()
  assert.equal(audio.loaded.length, 1)
  const { last_result, next_fire } = await first()
  assert.deepEqual([last_result, next_fire], [null, seconds('2026-01-02T06:00:00Z')])
})

test('one whose volume is changed while it waits for the adhan follows it, also where its time is sent along', async (t) => {
  const { adhanOver, audio, patch, url } = await heldUp(t)
  assert.equal((await patch(url, { ...six, volume: 20 })).statusCode, 200)
  await adhanOver()
  assert.equal(audio.loaded.length, 2)
  assert.equal(audio.loaded.at(-1)?.volume, 20)
})

for (const days of [EVERY_DAY, 0])
  test(`one (days ${days}) that waits for the adhan as the zone changes plays at its time there alone`, async (t) => {
    const { adhanOver, advance, audio, first, patch, post, url } = await heldUp(t, { days })
    await post('/settings/timezone', { timezone: BERLIN.replace('CET-1CEST', 'AZOT1AZOST') })
    assert.equal((await first()).next_fire, seconds('2026-01-01T07:00:00Z'))
    await adhanOver()
    assert.equal(audio.loaded.length, 1, 'the adhan alone')
    await advance(58 * MINUTE)
    assert.equal(audio.loaded.length, 2)
    assert.equal((await first()).last_result?.at, seconds('2026-01-01T07:00:00Z'))
    assert.equal((await patch(url, { volume: 3 })).json().enabled, days !== 0)
  })

test('one that waits for the adhan follows it where the zone is only told in other words', async (t) => {
  const { adhanOver, audio, post } = await heldUp(t)
  await post('/settings/timezone', { timezone: 'GMT0BST,M3.5.0/1,M10.5.0' })
  await adhanOver()
  assert.equal(audio.loaded.length, 2)
})

test('one that an adhan held up for too long is skipped', async (t) => {
  const { add, advance, audio, first, post, settled } = await box(t)
  await add(six)
  await advance(6 * 60 * MINUTE - MINUTE)
  await post('/prayer/test-adhan')
  await post('/playback/pause')
  await advance(20 * MINUTE)
  await post('/prayer/stop-adhan')
  await settled()
  assert.equal(audio.loaded.length, 1)
  assert.equal((await first()).last_result?.outcome, 'skipped')
})

test('a target that leads nowhere is told in last_result', async (t) => {
  const { add, advance, first } = await box(t)
  await add({ ...six, target: { ...surah, surah: 99 } })
  await advance(6 * 60 * MINUTE)
  const { outcome, reason } = (await first()).last_result ?? {}
  assert.deepEqual([outcome, reason], ['failed', 'surah: 99 of Husary is not on the card'])
})

test('PATCH /schedules/{id} changes what is sent, and a new time counts from now', async (t) => {
  const { add, advance, audio, first, news, patch } = await box(t)
  const { id } = await add(six)
  await advance(6 * 60 * MINUTE)
  news()
  const reply = await patch(`/schedules/${id}`, { hour: 7, volume: 20 })
  assert.equal(reply.json().next_fire, seconds('2026-01-01T07:00:00Z'))
  assert.deepEqual(news(), ['schedules'])
  const { hour, minute, volume, target } = await first()
  assert.deepEqual([hour, minute, volume, target], [7, 0, 20, surah])
  await advance(60 * MINUTE)
  assert.equal(audio.loaded.length, 2)
  await patch(`/schedules/${id}`, { hour: 6 })
  await advance(MINUTE)
  assert.equal(audio.loaded.length, 2, 'a time that is past today waits for tomorrow')
})

test('POST /schedules/{id}/enable switches it off and on; what passed meanwhile is not missed', async (t) => {
  const { add, advance, audio, first, post } = await box(t)
  const { id } = await add(six)
  const off = (await post(`/schedules/${id}/enable`, { enabled: false })).json()
  assert.deepEqual([off.success, off.enabled, off.next_fire], [true, false, null])
  await advance(7 * 60 * MINUTE)
  const on = (await post(`/schedules/${id}/enable`, { enabled: true })).json()
  assert.equal(on.next_fire, seconds('2026-01-02T06:00:00Z'))
  await advance(MINUTE)
  assert.equal(audio.loaded.length, 0)
  assert.equal((await first()).last_result, null)
})

test('DELETE /schedules/{id} removes it and it fires no more', async (t) => {
  const { add, advance, audio, del, list, news } = await box(t)
  const { id } = await add(six)
  news()
  assert.deepEqual((await del(`/schedules/${id}`)).json(), { success: true, id })
  assert.deepEqual(news(), ['schedules'])
  assert.deepEqual(await list(), [])
  await advance(DAY)
  assert.equal(audio.loaded.length, 0)
})

test('an unknown schedule is 404, whatever is asked of it', async (t) => {
  const { del, patch, post } = await box(t)
  for (const id of ['7', 'x', '1e3', '-1']) {
    for (const reply of [
      await del(`/schedules/${id}`),
      await patch(`/schedules/${id}`, { hour: 1 }),
      await post(`/schedules/${id}/enable`, { enabled: true }),
    ]) {
      assert.equal(reply.statusCode, 404)
      assert.deepEqual(reply.json(), { error: `schedule ${id} not found` })
    }
  }
})

test('schedules outlive a restart', async (t) => {
  const first = await box(t)
  const { id } = await first.add({ ...six, volume: 10 })
  const before = await first.list()
  await first.close()
  const second = await box(t, { dataDir: first.dataDir })
  assert.deepEqual(await second.list(), before)
  await second.del(`/schedules/${id}`)
  assert.notEqual((await second.add(six)).id, id, 'an id is never given twice')
})

test('mutations without the token are 401 and change nothing', async (t) => {
  const { list, post } = await box(t)
  assert.equal((await post('/schedules', six, 'wrong')).statusCode, 401)
  assert.deepEqual(await list(), [])
})

const to = (target: object) => ({ ...six, target })
const REFUSED: [what: string, body: object | string | undefined, error: RegExp][] = [
  ['no body', undefined, /^body:/],
  ['an array', [], /^body:/],
  ['no hour', { ...six, hour: undefined }, /^hour: is required/],
  ['hour 24', { ...six, hour: 24 }, /^hour:/],
  ['a negative hour', { ...six, hour: -1 }, /^hour:/],
  ['half an hour', { ...six, hour: 6.5 }, /^hour:/],
  ['an hour as text', { ...six, hour: '6' }, /^hour:/],
  ['minute 60', { ...six, minute: 60 }, /^minute:/],
  ['no days', { ...six, days: undefined }, /^days: is required/],
  ['eight days', { ...six, days: 128 }, /^days:/],
  ['negative days', { ...six, days: -1 }, /^days:/],
  ['days as a list', { ...six, days: [0, 1] }, /^days:/],
  ['volume 101', { ...six, volume: 101 }, /^volume:/],
  ['a volume as text', { ...six, volume: '40' }, /^volume:/],
  ['an unknown field', { ...six, name: 'Fajr' }, /^name: is not a known field/],
  ['no target', { ...six, target: undefined }, /^target: is required/],
  ['a target as text', to('Husary' as unknown as object), /^target:/],
  ['a target without a type', to({ surah: 1 }), /^target\.type:/],
  ['an unknown type', to({ type: 'song' }), /^target\.type:/],
  ['a surah without a reciter', to({ type: 'surah', surah: 1 }), /^target\.reciter: is required/],
  ['a surah without a number', to({ type: 'surah', reciter: 'H' }), /^target\.surah: is required/],
  ['surah 115', to({ ...surah, surah: 115 }), /^target\.surah:/],
  ['a surah with a url', to({ ...surah, url: 'http://a.example/' }), /^target\.url: goes with/],
  ['a stream without a url', to({ type: 'stream' }), /^target\.url: is required/],
  ['a file URL', to({ type: 'stream', url: 'file:///etc/passwd' }), /^target\.url:/],
  ['a path that climbs', to({ type: 'path', path: '../x.mp3' }), /^target\.path:/],
  ['a path to nothing', to({ type: 'path', path: 'no.mp3' }), /^target\.path:/],
  ['a path target without one', to({ type: 'path' }), /^target\.path: is required/],
  ['an unknown favorite', to({ type: 'favorite', id: 9 }), /^target\.id: there is no favorite 9/],
  ['a favorite without an id', to({ type: 'favorite' }), /^target\.id: is required/],
  ['an adhan with a surah', to({ type: 'adhan', surah: 1 }), /^target\.surah: goes with/],
  ['an unknown action', to({ type: 'action', action: 'dance' }), /^target\.action:/],
  ['an action without one', to({ type: 'action' }), /^target\.action: is required/],
  ['an unknown target field', to({ ...surah, loud: 1 }), /^target\.loud:/],
  ['a mode as text', to({ ...surah, mode: 'off' }), /^target\.mode:/],
  [
    'a bad mode',
    to({ ...surah, mode: { mode: 'hifz_repeat', pause_s: 601 } }),
    /^target\.mode\.pause_s:/,
  ],
]

for (const [what, body, error] of REFUSED) {
  test(`POST /schedules refuses ${what} with 400 and changes nothing`, async (t) => {
    const { list, news, post } = await box(t)
    const reply = await post('/schedules', body)
    assert.equal(reply.statusCode, 400, reply.body)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
    assert.match(reply.json().error, error)
    assert.deepEqual(await list(), [])
    assert.deepEqual(news(), [])
  })
}

const REFUSED_EDITS: [what: string, url: string, body: object, error: RegExp][] = [
  ['nothing to change', '', {}, /^hour:/],
  ['hour 24', '', { hour: 24 }, /^hour:/],
  ['an id', '', { id: 5 }, /^id:/],
  ['a bad target', '', { target: { type: 'path', path: 'no.mp3' } }, /^target\.path:/],
  ['enabled as text', '/enable', { enabled: 'yes' }, /^enabled:/],
  ['no enabled', '/enable', {}, /^enabled: is required/],
]

for (const [what, url, body, error] of REFUSED_EDITS) {
  test(`an edit of a schedule${url && ` by ${url}`} with ${what} is 400 and changes nothing`, async (t) => {
    const { add, list, patch, post } = await box(t)
    const { id } = await add(six)
    const before = await list()
    const reply = await (url ? post : patch)(`/schedules/${id}${url}`, body)
    assert.equal(reply.statusCode, 400, reply.body)
    assert.match(reply.json().error, error)
    assert.deepEqual(await list(), before)
  })
}

test('on a full disk a one-time schedule fires once, those of the same minute fire too, and results are told', async (t) => {
  const { add, advance, audio, db, list, wall } = await box(t)
  const once = await add({ ...six, days: 0 })
  const other = await add({ ...six, days: 0, target: { ...surah, surah: 1 } })
  const daily = await add(six)
  db.exec('PRAGMA query_only = ON')
  await advance(6 * 60 * MINUTE)
  assert.equal(audio.loaded.length, 3)
  const at = seconds('2026-01-01T06:00:00Z')
  const fired = { outcome: 'fired', at, reason: '' }
  assert.deepEqual(
    (await list()).map(({ id, enabled, last_result }) => ({ id, enabled, last_result })),
    [
      { id: once.id, enabled: false, last_result: fired },
      { id: other.id, enabled: false, last_result: fired },
      { id: daily.id, enabled: true, last_result: fired },
    ],
  )
  await advance(DAY)
  assert.equal(audio.loaded.length, 4, 'only the daily one comes again')
  // Set back, the clock counts them from now: that cannot be kept either, and they fire on.
  wall.become(START, 'sntp')
  await advance(3 * DAY)
  assert.ok(audio.loaded.length > 4)
})
