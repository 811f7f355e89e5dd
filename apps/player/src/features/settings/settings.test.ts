import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createManualWallClock } from '../../testing/manual-wall-clock.ts'
import { playerFixture } from '../../testing/player-fixture.ts'

const NOW_S = Date.parse('2026-01-01T00:00:00Z') / 1000

const FRESH = {
  ssid: '',
  wifi_connected: false,
  ip: '',
  hostname: 'player',
  brightness: 255,
  timezone: 'UTC0',
  time_format_24h: false,
  auto_resume: false,
  auto_off_minutes: 0,
  card_removal: 'continue',
  max_volume: 100,
  audio_output: 'auto',
  fade_up_s: 3,
  fade_down_s: 0.5,
  language: 'en',
  time: NOW_S,
  time_synced: true,
  time_source: 'sntp',
}

test('GET /settings is public and has every field, the time 12-hour by default', async (t) => {
  const { app } = await playerFixture(t)
  const reply = await app.inject('/api/settings')
  assert.equal(reply.statusCode, 200)
  assert.deepEqual(reply.json(), FRESH)
})

test('GET /settings has rtc_temperature only when a clock chip measures it', async (t) => {
  const { get } = await playerFixture(t, {
    sysfs: {
      'sys/class/rtc/rtc0/since_epoch': '1790000000',
      'sys/class/hwmon/hwmon0/name': 'ds3231',
      'sys/class/hwmon/hwmon0/temp1_input': '21500',
    },
  })
  assert.equal((await get('/settings')).json().rtc_temperature, 21.5)
})

test('GET /settings tells that nobody vouches for the time', async (t) => {
  const clock = createManualClock()
  const wall = createManualWallClock(clock, 'none')
  const { get } = await playerFixture(t, { clock, wall })
  const { time_synced, time_source } = (await get('/settings')).json()
  assert.deepEqual({ time_synced, time_source }, { time_synced: false, time_source: 'none' })
})

const CAIRO = 'EET-2EEST,M4.5.5/0,M10.5.4/24'

const ACCEPTED: [route: string, body: object, changed: object][] = [
  ['brightness', { brightness: 0 }, { brightness: 0 }],
  ['brightness', { brightness: 128 }, { brightness: 128 }],
  ['timezone', { timezone: CAIRO }, { timezone: CAIRO }],
  ['timezone', { timezone: '<+0330>-3:30' }, { timezone: '<+0330>-3:30' }],
  ['time-format', { time_format_24h: true }, { time_format_24h: true }],
  ['auto-resume', { enabled: true }, { auto_resume: true }],
  ['auto-off', { auto_off_minutes: 240 }, { auto_off_minutes: 240 }],
  ['card-removal', { policy: 'pause' }, { card_removal: 'pause' }],
  ['hostname', { hostname: 'Living-Room2' }, { hostname: 'living-room2' }],
  ['language', { language: 'ar' }, { language: 'ar' }],
  ['max-volume', { max_volume: 70 }, { max_volume: 70 }],
  ['fades', { fade_up_s: 10 }, { fade_up_s: 10 }],
  ['fades', { fade_up_s: 0, fade_down_s: 1.5 }, { fade_up_s: 0, fade_down_s: 1.5 }],
]

for (const [route, body, changed] of ACCEPTED) {
  test(`POST /settings/${route} ${JSON.stringify(body)} is kept, answered and told once`, async (t) => {
    const first = await playerFixture(t)
    first.news()
    const reply = await first.post(`/settings/${route}`, body)
    assert.equal(reply.statusCode, 200, reply.body)
    assert.deepEqual(reply.json(), { success: true, ...FRESH, ...changed })
    // A change of the rule moves prayers and schedules too, which tell their own news.
    const told = first.seen.filter(({ event }) => event === 'settings')
    assert.deepEqual(told, [{ event: 'settings', data: { ...FRESH, ...changed } }])
    await first.close()
    const second = await playerFixture(t, { dataDir: first.dataDir })
    assert.deepEqual((await second.get('/settings')).json(), { ...FRESH, ...changed })
  })
}

const REFUSED: [what: string, route: string, body: object | string | undefined, error: RegExp][] = [
  ['no body', 'brightness', undefined, /^body:/],
  ['a brightness above 255', 'brightness', { brightness: 256 }, /^brightness:/],
  ['a negative brightness', 'brightness', { brightness: -1 }, /^brightness:/],
  ['a brightness as text', 'brightness', { brightness: '9' }, /^brightness:/],
  ['an unknown field', 'brightness', { brightness: 9, volume: 1 }, /^volume:/],
  ['no timezone', 'timezone', {}, /^timezone: is required/],
  ['an empty timezone', 'timezone', { timezone: '' }, /^timezone:/],
  ['an Olson name', 'timezone', { timezone: 'Africa/Cairo' }, /^timezone: .*at character 7/],
  [
    'a rule that breaks off',
    'timezone',
    { timezone: 'EET-2EEST,M4.5' },
    /^timezone: .*at character 15/,
  ],
  ['a month 13', 'timezone', { timezone: 'A13' }, /^timezone: .*at character 1/],
  ['a rule that is not ASCII', 'timezone', { timezone: 'EET‐2' }, /^timezone: must be printable/],
  ['a control character', 'timezone', { timezone: 'UTC0\n' }, /^timezone:/],
  ['a format as text', 'time-format', { time_format_24h: 'true' }, /^time_format_24h:/],
  ['no format', 'time-format', {}, /^time_format_24h: is required/],
  ['an epoch as text', 'time', { epoch: '1790000000' }, /^epoch:/],
  ['half a second', 'time', { epoch: 1_790_000_000.5 }, /^epoch:/],
  ['milliseconds', 'time', { epoch: 1_790_000_000_000 }, /^epoch:/],
  ['the year 1970', 'time', { epoch: 0 }, /^epoch:/],
  ['no epoch', 'time', {}, /^epoch: is required/],
  ['a switch as text', 'auto-resume', { enabled: 'yes' }, /^enabled:/],
  ['241 minutes', 'auto-off', { auto_off_minutes: 241 }, /^auto_off_minutes:/],
  ['negative minutes', 'auto-off', { auto_off_minutes: -1 }, /^auto_off_minutes:/],
  ['an unknown policy', 'card-removal', { policy: 'eject' }, /^policy:/],
  ['a name with a dot', 'hostname', { hostname: 'a.local' }, /^hostname:/],
  ['a name that ends in a hyphen', 'hostname', { hostname: 'a-' }, /^hostname:/],
  ['a name of 64 letters', 'hostname', { hostname: 'a'.repeat(64) }, /^hostname:/],
  ['an unknown language', 'language', { language: 'xx' }, /^language:/],
  ['a rise of a minute', 'fades', { fade_up_s: 60 }, /^fade_up_s:/],
  ['a negative fall', 'fades', { fade_down_s: -1 }, /^fade_down_s:/],
  ['no fade', 'fades', {}, /^fade_up_s:/],
  ['a limit above 100', 'max-volume', { max_volume: 101 }, /^max_volume:/],
  ['no ssid', 'wifi', { password: '' }, /^ssid: is required/],
  ['an empty ssid', 'wifi', { ssid: '', password: '' }, /^ssid:/],
  ['33 bytes of ssid', 'wifi', { ssid: `${'م'.repeat(16)}a`, password: '' }, /^ssid:/],
  ['an ssid like an option', 'wifi', { ssid: '--help', password: '' }, /^ssid:/],
  ['no password', 'wifi', { ssid: 'Home' }, /^password: is required/],
  ['a password of 7', 'wifi', { ssid: 'Home', password: '1234567' }, /^password:/],
  ['a password of 64', 'wifi', { ssid: 'Home', password: 'x'.repeat(64) }, /^password:/],
  ['a password with a line break', 'wifi', { ssid: 'Home', password: '12345678\n' }, /^password:/],
]

for (const [what, route, body, error] of REFUSED) {
  test(`POST /settings/${route} refuses ${what} with 400 and changes nothing`, async (t) => {
    const { get, news, post, wifi } = await playerFixture(t)
    news()
    const reply = await post(`/settings/${route}`, body)
    assert.equal(reply.statusCode, 400, reply.body)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
    assert.match(reply.json().error, error)
    assert.deepEqual((await get('/settings')).json(), FRESH)
    assert.deepEqual(wifi.asked, [])
    assert.deepEqual(news(), [])
  })
}

test('POST /settings/brightness dims the backlight, and a restart dims it again', async (t) => {
  const sysfs = {
    'sys/class/backlight/panel/max_brightness': '100',
    'sys/class/backlight/panel/brightness': '3',
  }
  const first = await playerFixture(t, { sysfs })
  const light = (box: { sysfs: string }) =>
    readFileSync(path.join(box.sysfs, 'sys/class/backlight/panel/brightness'), 'utf8')
  await first.post('/settings/brightness', { brightness: 51 })
  assert.equal(light(first), '20')
  await first.close()
  assert.equal(light(await playerFixture(t, { sysfs, dataDir: first.dataDir })), '20')
})

test('POST /settings/brightness is 500 and keeps the old value when the backlight refuses', async (t) => {
  const { get, post, news } = await playerFixture(t, {
    sysfs: { 'sys/class/backlight/panel/max_brightness': '100' },
  })
  news()
  const reply = await post('/settings/brightness', { brightness: 9 })
  assert.equal(reply.statusCode, 500)
  assert.match(reply.json().error, /^brightness: the backlight refused/)
  assert.equal((await get('/settings')).json().brightness, 255)
  assert.deepEqual(news(), [])
})

test('POST /settings/time sets the clock, answers what was set and tells everyone once', async (t) => {
  const { news, post, wall } = await playerFixture(t)
  news()
  const reply = await post('/settings/time', { epoch: 1_790_000_000 })
  assert.equal(reply.statusCode, 200)
  assert.deepEqual(reply.json(), {
    success: true,
    ...FRESH,
    time: 1_790_000_000,
    time_source: 'manual',
    system_clock_set: true,
    rtc_set: false,
  })
  assert.equal(wall.now(), 1_790_000_000_000)
  assert.equal(news().filter((event) => event === 'settings').length, 1)
})

test('a clock that the network sets reaches everyone', async (t) => {
  const { next, wall } = await playerFixture(t)
  const told = next('settings')
  wall.become(1_790_000_000_000, 'sntp')
  assert.equal(((await told) as { time: number }).time, 1_790_000_000)
})

test('POST /settings/wifi joins, keeps the name, and the password is nowhere', async (t) => {
  const { db, get, post, seen, wifi } = await playerFixture(t)
  seen.splice(0)
  const password = 'correct horse'
  const reply = await post('/settings/wifi', { ssid: 'Home', password })
  assert.equal(reply.statusCode, 200)
  const { ssid, wifi_connected, ip } = reply.json()
  assert.deepEqual(
    { ssid, wifi_connected, ip },
    { ssid: 'Home', wifi_connected: true, ip: '192.168.1.20' },
  )
  assert.deepEqual(wifi.asked, [{ ssid: 'Home', password }])
  assert.deepEqual(
    seen.map(({ event }) => event),
    ['settings'],
  )
  const kept = JSON.stringify(db.prepare('SELECT * FROM settings').all())
  assert.ok(kept.includes('Home'))
  for (const text of [reply.body, (await get('/settings')).body, JSON.stringify(seen), kept]) {
    assert.ok(!text.includes(password))
  }
})

test('POST /settings/wifi leaves no password in the log, whether it succeeds or fails', async (t) => {
  const lines: string[] = []
  const { post, wifi } = await playerFixture(t, { logTo: lines })
  const body = { ssid: 'Home', password: 'correct horse' }
  await post('/settings/wifi', body)
  await post('/settings/wifi', { ...body, ssid: '' })
  wifi.state.answer = { joined: false, failure: 'timeout', reason: 'no answer' }
  await post('/settings/wifi', body)
  assert.ok(lines.some((line) => line.includes('/api/settings/wifi')))
  for (const line of lines) assert.ok(!line.includes('correct horse'), line)
})

const FAILED_JOINS = [
  ['wrong_password', 'the network did not accept the password', 400, /^password: /],
  ['not_found', 'no network of that name is in range', 400, /^ssid: /],
  ['timeout', 'the network did not answer within 45 s', 500, /^wifi: .*45 s/],
  ['unavailable', 'NetworkManager is not installed', 500, /^wifi: NetworkManager/],
] as const

for (const [failure, reason, status, error] of FAILED_JOINS) {
  test(`POST /settings/wifi: ${failure} is ${status} with the reason, and nothing is kept`, async (t) => {
    const { get, news, post, wifi } = await playerFixture(t)
    wifi.state.answer = { joined: false, failure, reason }
    news()
    const reply = await post('/settings/wifi', { ssid: 'Home', password: 'password' })
    assert.equal(reply.statusCode, status)
    assert.match(reply.json().error, error)
    assert.equal((await get('/settings')).json().ssid, '')
    assert.deepEqual(news(), [])
  })
}

test('a network that is lost reaches everyone within a minute', async (t) => {
  const { clock, next, post, wifi } = await playerFixture(t)
  await post('/settings/wifi', { ssid: 'Home', password: '' })
  const told = next('settings')
  wifi.state.status = { connected: false, ssid: '', ip: '' }
  clock.advance(60_000)
  const { ssid, wifi_connected } = (await told) as { ssid: string; wifi_connected: boolean }
  assert.deepEqual({ ssid, wifi_connected }, { ssid: 'Home', wifi_connected: false })
})

const USB = 'alsa:plughw:CARD=USB,DEV=0'
const sysfs = {
  'proc/asound/cards': ' 0 [USB            ]: USB-Audio - USB Speaker\n',
  'proc/asound/pcm': '00-00: USB Audio : USB Audio : playback 1\n',
}

test('POST /settings/audio-output sends sound to an output that GET /system lists, also after a restart', async (t) => {
  const first = await playerFixture(t, { sysfs })
  const { outputs } = (await first.get('/system')).json().audio
  assert.deepEqual(outputs, [{ id: USB, name: 'USB Speaker: USB Audio' }])
  const reply = await first.post('/settings/audio-output', { audio_output: USB })
  assert.equal(reply.json().audio_output, USB)
  assert.deepEqual(first.audio.outputs, [USB])
  await first.close()
  const second = await playerFixture(t, { sysfs, dataDir: first.dataDir })
  assert.deepEqual(second.audio.outputs, [USB])
})

for (const audio_output of ['alsa:plughw:CARD=Gone,DEV=0', 'loud', '-D', ''])
  test(`POST /settings/audio-output refuses ${audio_output || 'nothing'}, and sound stays where it is`, async (t) => {
    const { audio, post } = await playerFixture(t, { sysfs })
    const reply = await post('/settings/audio-output', { audio_output })
    assert.equal(reply.statusCode, 400)
    assert.match(reply.json().error, /^audio_output:/)
    assert.deepEqual(audio.outputs, [])
  })
