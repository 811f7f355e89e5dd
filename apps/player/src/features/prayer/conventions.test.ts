import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '../../testing/manual-clock.ts'
import { playerFixture } from '../../testing/player-fixture.ts'

const ANKARA = { lat: 39.939382, lng: 32.819713 }
const CUSTOM = { fajr_angle: 16, isha_angle: 14 }
const clock = () => createManualClock(Date.parse('2019-06-01T09:00:00Z'))

test('POST /prayer/config takes a convention, and the times are those of its table', async (t) => {
  const { post } = await playerFixture(t, { clock: clock() })
  await post('/settings/timezone', { timezone: '<+03>-3' })
  const { times, config } = (
    await post('/prayer/config', { ...ANKARA, convention: 'diyanet' })
  ).json()
  assert.deepEqual([times.fajr, times.sunrise, times.asr], ['03:24', '05:15', '16:48'])
  assert.deepEqual([config.method, config.convention], [0, 'diyanet'])
})

test('a client that only knows method gets the method it asks for', async (t) => {
  const { post } = await playerFixture(t, { clock: clock() })
  await post('/prayer/config', { ...ANKARA, convention: 'diyanet' })
  const offsets = await post('/prayer/config', { offsets_min: [1, 0, 0, 0, 0, 0] })
  assert.equal(offsets.json().config.convention, 'diyanet', 'what is left out stays')
  const { config } = (await post('/prayer/config', { method: 2 })).json()
  assert.deepEqual([config.method, config.convention], [2, null])
  const both = (await post('/prayer/config', { method: 2, convention: 'qatar' })).json().config
  assert.deepEqual([both.method, both.convention], [2, 'qatar'])
})

test('own angles are kept over a restart and explained', async (t) => {
  const box = await playerFixture(t, { clock: clock() })
  const reply = await box.post('/prayer/config', {
    ...ANKARA,
    convention: 'custom',
    custom_angles: CUSTOM,
  })
  assert.deepEqual(reply.json().config.custom_angles, {
    ...CUSTOM,
    isha_interval_min: 0,
    maghrib_angle: null,
  })
  const { method, prayers } = (await box.get('/prayer/explain?date=2019-06-01')).json()
  assert.deepEqual([method.name, method.fajr_angle], ['Own angles', 16])
  assert.match(prayers.fajr.text, /^Fajr is when the sun is 16° below the eastern horizon/)
})

test('GET /prayer/explain tells what the convention adds', async (t) => {
  const { get, post } = await playerFixture(t)
  await post('/prayer/config', { ...ANKARA, convention: 'diyanet' })
  const { prayers } = (await get('/prayer/explain?date=2019-06-01')).json()
  const { epoch, raw_epoch, rounded_by_s, method_min, offset_min } = prayers.maghrib
  assert.equal(method_min, 7)
  assert.equal(raw_epoch + rounded_by_s + (method_min + offset_min) * 60, epoch)
})

test('GET /prayer/methods lists the five numbers and the names', async (t) => {
  const { get, post } = await playerFixture(t)
  const { methods } = (await get('/prayer/methods')).json()
  assert.equal(methods.length, 46)
  assert.deepEqual(
    methods.slice(0, 5).map(({ method }: { method: number }) => method),
    [0, 1, 2, 3, 4],
  )
  for (const { convention } of methods.slice(5)) {
    assert.equal((await post('/prayer/config', { convention })).statusCode, 200, convention)
  }
})

const REFUSED: [body: object, field: RegExp][] = [
  [{ method: 5 }, /^method/],
  [{ convention: 'mwl' }, /^convention/],
  [{ convention: 'custom' }, /^custom_angles: is required/],
  [{ custom_angles: { fajr_angle: 16 } }, /^custom_angles\.isha_angle/],
  [{ custom_angles: { ...CUSTOM, fajr_angle: 30 } }, /^custom_angles\.fajr_angle/],
  [{ custom_angles: { ...CUSTOM, fajr_angle: '16' } }, /^custom_angles\.fajr_angle/],
  [{ custom_angles: { ...CUSTOM, isha_angle: null } }, /^custom_angles\.isha_interval_min/],
  [{ custom_angles: { ...CUSTOM, isha_interval_min: 9 } }, /^custom_angles\.isha_interval_min/],
  [{ custom_angles: { ...CUSTOM, isha_angle: 5, maghrib_angle: 6 } }, /^custom_angles\.maghrib_a/],
  [{ custom_angles: { ...CUSTOM, dhuhr: 1 } }, /^(custom_angles\.)?dhuhr|^custom_angles/],
  [{ high_latitude: 'nearest' }, /^high_latitude/],
  [{ rounding: 'down' }, /^rounding/],
]
for (const [body, field] of REFUSED)
  test(`POST /prayer/config refuses ${JSON.stringify(body)} and changes nothing`, async (t) => {
    const { get, post } = await playerFixture(t)
    const before = (await get('/prayer')).json()
    const reply = await post('/prayer/config', body)
    assert.equal(reply.statusCode, 400)
    assert.match(reply.json().error, field)
    assert.deepEqual((await get('/prayer')).json(), before)
  })
