import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { putTree } from '../../testing/fake-tree.ts'
import { type FixtureOptions, playerFixture } from '../../testing/player-fixture.ts'

const URL = 'http://radio.example/live'
/** As a file is while nobody knows what is on the card. */
const UNREAD = { kind: 'file', reciter: '', surah_number: 0 } as const

test('GET /playback/status is public and has every field of the contract', async (t) => {
  const { get } = await playerFixture(t)
  const reply = await get('/playback/status')
  assert.equal(reply.statusCode, 200)
  assert.deepEqual(reply.json(), {
    state: 'stopped',
    mode: 'idle',
    position: 0,
    duration: 0,
    volume: 50,
    underrun_count: 0,
    track: '',
    reciter: '',
    surah_number: 0,
    hasResumeState: false,
    advance_mode: 'off',
  })
})

test('POST /playback/play starts the file, answers the state and tells everyone once', async (t) => {
  const { audio, cardDir, news, post } = await playerFixture(t)
  news()
  const reply = await post('/playback/play', { path: 'Husary/002.mp3' })
  assert.equal(reply.statusCode, 200)
  const { success, state, mode, track, reciter, surah_number, duration } = reply.json()
  assert.deepEqual(
    { success, state, mode, track, reciter, surah_number, duration },
    {
      success: true,
      state: 'playing',
      mode: 'file',
      track: 'Husary/002.mp3',
      reciter: 'Husary',
      surah_number: 2,
      duration: 60_000,
    },
  )
  assert.deepEqual(audio.loaded[0]?.source, {
    kind: 'file',
    path: path.join(cardDir, 'Husary/002.mp3'),
  })
  assert.deepEqual(news(), ['playback'])
})

test('POST /playback/play without the token is 401 and plays nothing', async (t) => {
  const { audio, post } = await playerFixture(t)
  for (const token of ['', 'wrong', 'ab'.repeat(31)]) {
    const reply = await post('/playback/play', { path: 'Husary/001.mp3' }, token)
    assert.equal(reply.statusCode, 401)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
  }
  assert.equal(audio.loaded.length, 0)
})

const REFUSED: [what: string, url: string, body: object | string | undefined, error: RegExp][] = [
  ['no body', '/playback/play', undefined, /^body:/],
  ['a body that is not JSON', '/playback/play', '{"path":', /^body: is not valid JSON/],
  ['a body that is an array', '/playback/play', [], /^body:/],
  ['a body that is a string', '/playback/play', '"x"', /^body:/],
  ['a body over 16 KiB', '/playback/play', { path: 'x'.repeat(17_000) }, /^body: is too large/],
  ['neither path nor url', '/playback/play', {}, /^path:/],
  ['both path and url', '/playback/play', { path: 'a.mp3', url: URL }, /^path:/],
  ['an unknown field', '/playback/play', { path: 'Husary/001.mp3', loud: 1 }, /^loud:/],
  ['a path that climbs', '/playback/play', { path: '../etc/passwd' }, /^path:/],
  ['a path that climbs inside', '/playback/play', { path: 'Husary/../../x.mp3' }, /^path:/],
  ['an encoded path', '/playback/play', { path: '%2e%2e%2fetc%2fpasswd' }, /^path:/],
  ['an absolute path', '/playback/play', { path: '/etc/passwd' }, /^path:/],
  ['a NUL', '/playback/play', { path: 'Husary/001.mp3\0' }, /^path:/],
  ['a missing file', '/playback/play', { path: 'Husary/003.mp3' }, /^path:/],
  ['a folder', '/playback/play', { path: 'Husary' }, /^path:/],
  ['a path that is a number', '/playback/play', { path: 1 }, /^path:/],
  ['a file URL', '/playback/play', { url: 'file:///etc/passwd' }, /^url:/],
  ['a control character', '/playback/play', { url: 'http://a/\r\nb' }, /^url:/],
  ['a URL without a host', '/playback/play', { url: 'http://' }, /^url:/],
  ['a metadata address', '/playback/play', { url: 'http://169.254.169.254/x' }, /^url:/],
  ['a volume above 100', '/playback/volume', { volume: 101 }, /^volume:/],
  ['a volume below 0', '/playback/volume', { volume: -1 }, /^volume:/],
  ['half a volume', '/playback/volume', { volume: 1.5 }, /^volume:/],
  ['a volume as text', '/playback/volume', { volume: '40' }, /^volume:/],
  ['no volume', '/playback/volume', {}, /^volume: is required/],
  ['a position as text', '/playback/seek', { position: '5' }, /^position:/],
  ['a negative position', '/playback/seek', { position: -5 }, /^position:/],
  ['seek with nothing playing', '/playback/seek', { position: 5 }, /^position:/],
  ['an unknown mode', '/playback/mode', { mode: 'shuffle' }, /^mode:/],
  ['no mode', '/playback/mode', {}, /^mode:/],
  ['pause_s over 600', '/playback/mode', { mode: 'hifz_repeat', pause_s: 601 }, /^pause_s:/],
  ['a negative repeat', '/playback/mode', { mode: 'hifz_repeat', repeat: -1 }, /^repeat:/],
  ['hifz_ab without ab', '/playback/mode', { mode: 'hifz_ab' }, /^ab:/],
  ['ab with another mode', '/playback/mode', { mode: 'off', ab: { from: 1, to: 2 } }, /^ab:/],
  [
    'a range outside 1..114',
    '/playback/mode',
    { mode: 'hifz_ab', ab: { from: 0, to: 115 } },
    /^ab/,
  ],
  ['a range the wrong way', '/playback/mode', { mode: 'hifz_ab', ab: { from: 3, to: 2 } }, /^ab/],
  [
    'an endless hifz_ab',
    '/playback/mode',
    { mode: 'hifz_ab', repeat: 0, ab: { from: 1, to: 2 } },
    /^repeat:/,
  ],
  ['resume-saved with nothing saved', '/playback/resume-saved', undefined, /^resume:/],
  ['next before anything played', '/playback/next', undefined, /^next:/],
]

for (const [what, url, body, error] of REFUSED) {
  test(`POST ${url} refuses ${what} with 400 and changes nothing`, async (t) => {
    const { audio, get, news, post } = await playerFixture(t)
    const before = (await get('/playback/status')).json()
    news()
    const reply = await post(url, body)
    assert.equal(reply.statusCode, 400, reply.body)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
    assert.match(reply.json().error, error)
    assert.deepEqual((await get('/playback/status')).json(), before)
    assert.equal(audio.loaded.length, 0)
    assert.deepEqual(news(), [])
  })
}

test('pause, resume and stop answer the new state and need no body', async (t) => {
  const { post } = await playerFixture(t)
  await post('/playback/play', { path: 'Husary/001.mp3' })
  assert.equal((await post('/playback/pause')).json().state, 'paused')
  assert.equal((await post('/playback/resume')).json().state, 'playing')
  const stopped = (await post('/playback/stop')).json()
  assert.deepEqual(
    [stopped.state, stopped.mode, stopped.track, stopped.hasResumeState],
    ['stopped', 'idle', '', true],
  )
})

test('a stop that is asked while the file is still looked for comes after the play', async (t) => {
  const { box, post } = await playerFixture(t)
  const [played, stopped] = await Promise.all([
    post('/playback/play', { path: 'Husary/001.mp3' }),
    post('/playback/stop', {}),
  ])
  assert.deepEqual([played.json().state, stopped.json().state], ['playing', 'stopped'])
  assert.equal(box.player.status().state, 'stopped')
})

test('a body where none is needed is an object or is refused, and nothing happens', async (t) => {
  const { post } = await playerFixture(t)
  await post('/playback/play', { path: 'Husary/001.mp3' })
  for (const body of ['[]', '5', '"now"', 'null', 'true']) {
    const reply = await post('/playback/stop', body)
    assert.deepEqual([reply.statusCode, reply.json()], [400, { error: 'body: must be an object' }])
  }
  assert.equal((await post('/playback/pause', {})).json().state, 'paused')
})

test('POST /playback/volume answers what was applied under the limit and keeps it', async (t) => {
  const { box, news, post, db } = await playerFixture(t)
  await post('/settings/max-volume', { max_volume: 60 })
  news()
  assert.deepEqual((await post('/playback/volume', { volume: 80 })).json(), {
    success: true,
    volume: 60,
  })
  assert.deepEqual(news(), ['volume'])
  assert.equal(box.player.status().volume, 60)
  assert.equal(db.prepare("SELECT value FROM settings WHERE key = 'volume'").get()?.value, '60')
})

test('a lower volume limit lowers what plays', async (t) => {
  const { box, post } = await playerFixture(t)
  await post('/playback/volume', { volume: 90 })
  await post('/settings/max-volume', { max_volume: 30 })
  assert.equal(box.player.status().volume, 30)
})

test('while the card is still read after a start, the volume is the one that was chosen', async (t) => {
  const { audio, box, events, post, putFile } = await playerFixture(t)
  await post('/playback/volume', { volume: 20 })
  await box.stop()
  // What an engine begins with.
  await audio.output.setVolume(100)
  putFile('Husary/003.mp3')
  const told: number[] = []
  events.on('library', () => told.push(box.snapshot().playback.volume))
  await box.start()
  assert.deepEqual(told, [20])
})

test('a file that is played while the card is still read is known as its surah afterwards', async (t) => {
  const { box, events, get, post, putFile } = await playerFixture(t)
  await post('/playback/play', { path: 'Husary/002.mp3' })
  await box.stop()
  putFile('Nasser/003.mp3')
  putFile('Nasser/005.mp3')
  const playing = box.player.play({ ...UNREAD, path: 'Nasser/003.mp3' })
  const told: string[] = []
  events.on('playback', ({ reciter, surah_number }) => told.push(`${reciter} ${surah_number}`))
  await playing
  await box.start()
  await box.player.settled()
  const { reciter, surah_number, track } = (await get('/playback/status')).json()
  assert.deepEqual([track, reciter, surah_number], ['Nasser/003.mp3', 'Nasser', 3])
  assert.deepEqual(told, [' 0', 'Nasser 3'])
  assert.equal((await post('/playback/next')).json().surah_number, 5)
})

test('so it is when it goes on from a place that was kept before', async (t) => {
  const { box, get, post } = await playerFixture(t)
  await box.player.play({ ...UNREAD, path: 'Husary/002.mp3' })
  await post('/playback/stop')
  await post('/playback/resume-saved')
  const { reciter, surah_number } = (await get('/playback/status')).json()
  assert.deepEqual([reciter, surah_number], ['Husary', 2])
})

test('next and prev go over the surahs that are there, past missing ones', async (t) => {
  const { post } = await playerFixture(t)
  await post('/playback/play', { path: 'Husary/002.mp3' })
  assert.equal((await post('/playback/next')).json().surah_number, 114)
  assert.equal((await post('/playback/prev')).json().surah_number, 2)
  assert.equal((await post('/playback/prev')).json().surah_number, 1)
  assert.equal((await post('/playback/prev')).statusCode, 400)
})

test('what has just ended is told at its end until what follows it begins', async (t) => {
  const { audio, box, post } = await playerFixture(t)
  await post('/playback/play', { path: 'Husary/002.mp3' })
  audio.end()
  const { state, position, duration } = box.player.status()
  assert.deepEqual([state, position, duration], ['playing', 60_000, 60_000])
})

test('seek on a live stream is 400', async (t) => {
  const { post } = await playerFixture(t)
  assert.equal((await post('/playback/play', { url: URL })).json().state, 'buffering')
  const reply = await post('/playback/seek', { position: 1000 })
  assert.equal(reply.statusCode, 400)
  assert.match(reply.json().error, /^position:/)
})

test('a stream buffers, plays, runs dry and recovers, with its title and station', async (t) => {
  const { audio, get, post, settled } = await playerFixture(t)
  await post('/radio/stations', { name: 'Cairo', url: URL })
  await post('/playback/play', { url: URL })
  audio.become('playing')
  audio.title('Al-Kahf')
  await settled()
  const playing = (await get('/playback/status')).json()
  assert.deepEqual(
    [playing.state, playing.mode, playing.station, playing.stream_title, playing.duration],
    ['playing', 'stream', 'Cairo', 'Al-Kahf', 0],
  )
  audio.become('buffering')
  await settled()
  const dry = (await get('/playback/status')).json()
  assert.deepEqual([dry.state, dry.underrun_count], ['buffering', 1])
  audio.become('playing')
  await settled()
  assert.equal((await get('/playback/status')).json().state, 'playing')
})

test('a station that answers 404 stops with the reason', async (t) => {
  const { audio, get, post, settled } = await playerFixture(t)
  await post('/playback/play', { url: URL })
  audio.end('error', 'the station answered 404')
  await settled()
  const status = (await get('/playback/status')).json()
  assert.deepEqual([status.state, status.error], ['stopped', 'the station answered 404'])
})

test('continuous goes on by itself, skips a file that cannot be played and stops after the last', async (t) => {
  const { audio, cardDir, get, post, settled } = await playerFixture(t)
  audio.unplayable.add(path.join(cardDir, 'Husary/002.mp3'))
  await post('/playback/mode', { mode: 'continuous' })
  await post('/playback/play', { path: 'Husary/001.mp3' })
  audio.end()
  await settled()
  assert.equal((await get('/playback/status')).json().surah_number, 114)
  audio.end()
  await settled()
  const status = (await get('/playback/status')).json()
  assert.deepEqual([status.state, status.hasResumeState], ['stopped', false])
})

test('hifz_repeat waits pause_s in state playing; a pause freezes the silence', async (t) => {
  const { audio, clock, get, post, settled } = await playerFixture(t)
  await post('/playback/mode', { mode: 'hifz_repeat', repeat: 2, pause_s: 10 })
  await post('/playback/play', { path: 'Husary/001.mp3' })
  audio.end()
  await settled()
  const waiting = (await get('/playback/status')).json()
  assert.equal(waiting.state, 'playing')
  assert.deepEqual(waiting.hifz, {
    repeat_done: 1,
    repeat_target: 2,
    pause_s: 10,
    waiting: true,
    gap_ms: 10_000,
  })
  clock.advance(9_000)
  await post('/playback/pause')
  clock.advance(60_000)
  assert.equal(audio.loaded.length, 1)
  await post('/playback/resume')
  clock.advance(999)
  await settled()
  assert.equal(audio.loaded.length, 1)
  clock.advance(1)
  await settled()
  assert.equal(audio.loaded.length, 2)
  assert.equal((await get('/playback/status')).json().hifz.waiting, false)
  audio.end()
  await settled()
  assert.equal((await get('/playback/status')).json().state, 'stopped')
})

test('hifz_ab skips missing files and wraps; GET /playback/mode shows its configuration', async (t) => {
  const { audio, get, post, settled } = await playerFixture(t, {
    files: ['H/002.mp3', 'H/004.mp3', 'H/005.mp3'],
  })
  await post('/playback/mode', { mode: 'hifz_ab', repeat: 2, ab: { from: 2, to: 4 } })
  assert.deepEqual((await get('/playback/mode')).json(), {
    mode: 'hifz_ab',
    advance_mode: 'hifz_ab',
    hifz: { repeat_done: 0, repeat_target: 2, pause_s: 0, waiting: false, ab_start: 2, ab_end: 4 },
  })
  await post('/playback/play', { path: 'H/002.mp3' })
  const heard: number[] = []
  for (let surah = 0; surah < 4; surah += 1) {
    heard.push((await get('/playback/status')).json().surah_number)
    audio.end()
    await settled()
  }
  assert.deepEqual(heard, [2, 4, 2, 4])
  assert.equal((await get('/playback/status')).json().state, 'stopped')
})

describe('hifz_ab that is entered behind its first surah', () => {
  const files = ['H/001.mp3', 'H/002.mp3', 'H/004.mp3']
  const mode = { mode: 'hifz_ab', repeat: 1, ab: { from: 2, to: 4 } }

  async function rangeBox(t: TestContext, options: FixtureOptions = {}) {
    const box = await playerFixture(t, { files, ...options })
    const status = async () => (await box.get('/playback/status')).json()
    /** What is heard until it stops, and the passes that were told meanwhile. */
    async function hearOut() {
      const heard: number[] = []
      for (let now = await status(); now.state !== 'stopped'; now = await status()) {
        heard.push(now.surah_number)
        assert.equal(now.hifz.repeat_done, 0)
        box.audio.end()
        await box.settled()
      }
      return [heard, (await status()).hifz.repeat_done]
    }
    return { ...box, hearOut, status }
  }

  test('hears the range in full, whether the mode or the surah was chosen first', async (t) => {
    const { hearOut, post } = await rangeBox(t)
    await post('/playback/mode', mode)
    await post('/playback/play', { path: 'H/004.mp3' })
    assert.deepEqual(await hearOut(), [[4, 2, 4], 1])
    await post('/playback/mode', { mode: 'off' })
    await post('/playback/play', { path: 'H/004.mp3' })
    await post('/playback/mode', mode)
    assert.deepEqual(await hearOut(), [[4, 2, 4], 1])
  })

  test('and by next, as what was passed over is not heard', async (t) => {
    const { hearOut, post } = await rangeBox(t)
    await post('/playback/mode', mode)
    await post('/playback/play', { path: 'H/002.mp3' })
    await post('/playback/next')
    assert.deepEqual(await hearOut(), [[4, 2, 4], 1])
    await post('/playback/play', { path: 'H/004.mp3' })
    await post('/playback/prev')
    assert.deepEqual(await hearOut(), [[2, 4], 1])
  })

  test('begins with the first that is there', async (t) => {
    const { hearOut, post } = await rangeBox(t)
    await post('/playback/mode', { ...mode, ab: { from: 3, to: 4 } })
    await post('/playback/play', { path: 'H/004.mp3' })
    assert.deepEqual(await hearOut(), [[4], 1])
    await post('/playback/mode', mode)
    await post('/playback/play', { path: 'H/001.mp3' })
    assert.deepEqual(await hearOut(), [[1, 2, 4], 1])
  })

  test('also over a power cut, and by a seek back out of the silence before it', async (t) => {
    const first = await rangeBox(t)
    await first.post('/settings/auto-resume', { enabled: true })
    await first.post('/playback/mode', { ...mode, pause_s: 30 })
    await first.post('/playback/play', { path: 'H/004.mp3' })
    first.audio.end()
    await first.settled()
    assert.equal((await first.status()).hifz.waiting, true)
    await first.post('/playback/seek', { position: 5000 })
    first.db.close()
    const second = await rangeBox(t, { dataDir: first.dataDir, cardDir: first.cardDir })
    await second.settled()
    assert.deepEqual(
      [(await second.status()).surah_number, (await second.status()).position],
      [4, 5000],
    )
    second.audio.end()
    await second.settled()
    second.clock.advance(30_000)
    await second.settled()
    assert.deepEqual(await second.hearOut(), [[2, 4], 1])
  })
})

test('the mode change reaches everyone as one event and outlives a restart', async (t) => {
  const first = await playerFixture(t)
  first.news()
  await first.post('/playback/mode', { mode: 'hifz_repeat', repeat: 5, pause_s: 2 })
  assert.deepEqual(first.news(), ['mode'])
  await first.close()
  const second = await playerFixture(t, { dataDir: first.dataDir })
  assert.equal((await second.get('/playback/mode')).json().hifz.repeat_target, 5)
})

test('the position is kept every 10 s and on pause, and resume-saved goes on there', async (t) => {
  const { audio, clock, db, post } = await playerFixture(t)
  const kept = () => db.prepare('SELECT position_ms FROM resume').get()?.position_ms
  await post('/playback/play', { path: 'Husary/001.mp3' })
  assert.equal(kept(), 0)
  for (let second = 1; second <= 10; second += 1) {
    audio.playTo(second * 1000)
    clock.advance(1000)
  }
  assert.ok(Number(kept()) >= 9000, `kept ${kept()}`)
  audio.playTo(12_345)
  await post('/playback/pause')
  assert.equal(kept(), 12_345)
  await post('/playback/stop')
  const resumed = (await post('/playback/resume-saved')).json()
  assert.deepEqual([resumed.state, resumed.surah_number], ['playing', 1])
  assert.equal(audio.loaded.at(-1)?.position_ms, 12_345)
})

test('with auto-resume an interrupted surah goes on after a restart, a stopped one does not', async (t) => {
  const first = await playerFixture(t)
  await first.post('/settings/auto-resume', { enabled: true })
  await first.post('/playback/play', { path: 'Husary/001.mp3' })
  first.audio.playTo(30_000)
  await first.close()
  const second = await playerFixture(t, { dataDir: first.dataDir })
  assert.equal(second.box.player.status().state, 'playing')
  assert.equal(second.audio.loaded[0]?.position_ms, 30_000)
  await second.post('/playback/stop')
  await second.close()
  const third = await playerFixture(t, { dataDir: first.dataDir })
  assert.equal(third.box.player.status().state, 'stopped')
})

test('auto-resume waits for a card that comes up later than the box', async (t) => {
  const first = await playerFixture(t)
  await first.post('/settings/auto-resume', { enabled: true })
  await first.post('/playback/play', { path: 'Husary/001.mp3' })
  await first.close()
  const second = await playerFixture(t, { dataDir: first.dataDir, files: [] })
  assert.equal(second.box.player.status().state, 'stopped')
  const playing = second.next('playback')
  second.putFile('Husary/001.mp3')
  await second.post('/library/rescan')
  await playing
  assert.equal(second.box.player.status().state, 'playing')
})

test('auto-resume waits for a chosen loudspeaker that comes up later than the box', async (t) => {
  const usb = {
    'proc/asound/cards': ' 0 [USB            ]: USB-Audio - USB Speaker\n',
    'proc/asound/pcm': '00-00: USB Audio : USB Audio : playback 1\n',
  }
  const first = await playerFixture(t, { sysfs: usb })
  await first.post('/settings/auto-resume', { enabled: true })
  await first.post('/settings/audio-output', { audio_output: 'alsa:plughw:CARD=USB,DEV=0' })
  await first.post('/playback/play', { path: 'Husary/001.mp3' })
  first.audio.playTo(30_000)
  await first.close()
  const { audio, box, clock, next, sysfs } = await playerFixture(t, {
    dataDir: first.dataDir,
  })
  assert.deepEqual([audio.attempts(), box.player.wasInterrupted()], [0, true])
  clock.advance(60_000)
  putTree(sysfs, usb)
  const playing = next('playback')
  clock.advance(5_000)
  await playing
  assert.deepEqual([audio.attempts(), audio.loaded[0]?.position_ms], [1, 30_000])
  assert.equal(box.player.status().state, 'playing')
})

test('pulling the card stops a file with a clear error, until it is back, and keeps the place', async (t) => {
  const { audio, box, cardDir, events, next, post } = await playerFixture(t)
  await post('/playback/play', { path: 'Husary/001.mp3' })
  audio.playTo(20_000)
  await post('/playback/seek', { position: 20_000 })
  const gone = next('storage')
  rmSync(cardDir, { recursive: true })
  await gone
  await next('playback')
  const status = box.player.status()
  assert.deepEqual([status.state, status.error], ['stopped', 'the card was removed'])
  assert.equal(status.hasResumeState, true)
  const told = next('playback')
  events.emit('storage', { present: true })
  await told
  assert.equal(box.player.status().error, undefined)
})

test('an unplayable file is 400 naming path, and the state says why nothing plays', async (t) => {
  const { audio, box, cardDir, post } = await playerFixture(t)
  audio.unplayable.add(path.join(cardDir, 'Husary/001.mp3'))
  const reply = await post('/playback/play', { path: 'Husary/001.mp3' })
  assert.equal(reply.statusCode, 400)
  assert.match(reply.json().error, /^path: cannot be played: unrecognised format/)
  assert.equal(box.player.status().state, 'stopped')
})

test('POST /playback/play that is refused leaves alone what plays, and its end still counts', async (t) => {
  const { audio, box, cardDir, news, post, settled } = await playerFixture(t)
  await post('/playback/mode', { mode: 'continuous' })
  await post('/playback/play', { path: 'Husary/001.mp3' })
  audio.playTo(20_000)
  audio.unplayable.add(path.join(cardDir, 'Husary/114.mp3'))
  news()
  assert.equal((await post('/playback/play', { path: 'Husary/114.mp3' })).statusCode, 400)
  const { state, surah_number, position, error } = box.player.status()
  assert.deepEqual([state, surah_number, position, error], ['playing', 1, 20_000, undefined])
  assert.deepEqual(news(), [])
  audio.end()
  await settled()
  assert.equal(box.player.status().surah_number, 2)
})

test('a refused play leaves the silence between two repetitions alone', async (t) => {
  const { audio, box, cardDir, clock, post, settled } = await playerFixture(t)
  await post('/playback/mode', { mode: 'hifz_repeat', repeat: 3, pause_s: 10 })
  await post('/playback/play', { path: 'Husary/001.mp3' })
  audio.end()
  await settled()
  audio.unplayable.add(path.join(cardDir, 'Husary/114.mp3'))
  assert.equal((await post('/playback/play', { path: 'Husary/114.mp3' })).statusCode, 400)
  assert.equal(box.player.status().hifz?.waiting, true)
  clock.advance(10_000)
  await settled()
  assert.equal(audio.output.snapshot().state, 'playing')
})

for (const [command, surah, position] of [
  ['next', 114, 0],
  ['prev', 1, 0],
  ['resume', 2, 20_000],
] as const)
  test(`after a restart ${command} acts from the place that was kept`, async (t) => {
    const first = await playerFixture(t)
    await first.post('/playback/play', { path: 'Husary/002.mp3' })
    first.audio.playTo(20_000)
    await first.close()
    const { audio, post } = await playerFixture(t, { dataDir: first.dataDir })
    const reply = (await post(`/playback/${command}`)).json()
    assert.deepEqual([reply.state, reply.surah_number], ['playing', surah])
    assert.equal(audio.loaded[0]?.position_ms, position)
  })

test('what the engine still says of a replaced track is not taken for the new one', async (t) => {
  const { audio, box, post, settled } = await playerFixture(t)
  await post('/playback/mode', { mode: 'continuous' })
  await post('/playback/play', { path: 'Husary/001.mp3' })
  const playing = post('/playback/play', { path: 'Husary/114.mp3' })
  audio.end()
  await playing
  await settled()
  assert.equal(box.player.status().surah_number, 114)
})

test('what comes to its end while the adhan silences it goes on from there, not from its beginning', async (t) => {
  const { audio, post, settled } = await playerFixture(t)
  await post('/playback/mode', { mode: 'continuous' })
  await post('/playback/play', { path: 'Husary/001.mp3' })
  audio.playTo(59_400)
  audio.endInFade()
  await post('/prayer/test-adhan')
  const { track, position } = (await post('/prayer/stop-adhan')).json()
  assert.deepEqual([track, position], ['Husary/001.mp3', 59_400])
  audio.end()
  await settled()
  assert.equal((await post('/playback/pause')).json().surah_number, 2)
})

test('the 21st playback command within 10 s is 429 with Retry-After', async (t) => {
  const { post } = await playerFixture(t)
  for (let n = 0; n < 20; n += 1) assert.equal((await post('/playback/pause')).statusCode, 200)
  const reply = await post('/playback/pause')
  assert.equal(reply.statusCode, 429)
  assert.match(reply.json().error, /try again in \d+ s/)
  assert.ok(Number(reply.headers['retry-after']) >= 1)
})
