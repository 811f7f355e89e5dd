import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { wavFile } from '../../adapters/testing/media.ts'
import { type FixtureOptions, playerFixture } from '../../testing/player-fixture.ts'

const VERSES = 5
const VERSE_MS = 2000
const DURATION_MS = VERSES * VERSE_MS

/** Surah 111: each verse is a hum of 1.4 s and 0.6 s of silence. */
const RECITATION = wavFile(8000, (DURATION_MS / 1000) * 8000, (frame) => {
  const isHum = (frame / 8) % VERSE_MS < 1400
  const sample = Math.round((isHum ? 9000 : 10) * Math.sin(frame * 0.4))
  return [sample, sample]
})
const LABELS = Array.from({ length: VERSES }, (_, i) => `${i * 2}\t${(i + 1) * 2}\t${i + 1}`).join(
  '\n',
)

/** A recording is listened to once before its timing file is believed. */
async function heardOut({ events, get }: Awaited<ReturnType<typeof playerFixture>>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = events.on('verses', ({ state }) => state === 'searching' || resolve())
  const { searching } = (await get('/library/verses?reciter=Husary&surah=111')).json()
  if (searching) await promise
  end()
}

async function box(t: TestContext, options: FixtureOptions = {}) {
  const fixture = await playerFixture(t, {
    files: ['Husary/001.mp3', 'Husary/112.mp3'],
    duration_ms: DURATION_MS,
    ...options,
  })
  const put = (name: string, content: string | Buffer) => {
    const file = path.join(fixture.cardDir, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  if (!options.cardDir) {
    put('Husary/111.wav', RECITATION)
    put('Husary/111.txt', LABELS)
    for (let verse = 1; verse <= VERSES; verse += 1)
      put(`Alafasy/111/${verse}.wav`, RECITATION.subarray(0, 44 + 2 * 8000 * 4))
    await fixture.post('/library/rescan')
    await heardOut(fixture)
  }
  const last = () => fixture.audio.loaded.at(-1)
  return {
    ...fixture,
    put,
    status: async () => (await fixture.get('/playback/status')).json(),
    playSurah: () => fixture.post('/playback/play', { path: 'Husary/111.wav' }),
    /** From where to where the engine was last told to play. */
    part: () => [last()?.position_ms, last()?.until_ms],
    async end() {
      fixture.audio.end()
      await fixture.settled()
    },
    async pass(ms: number) {
      fixture.clock.advance(ms)
      await fixture.settled()
    },
  }
}

const drill = (body: object = {}) => ({
  mode: 'hifz_verses',
  verses: { from: 1, to: 2 },
  repeat: 2,
  ...body,
})

test('POST /playback/mode hifz_verses hears the present verse out, then drills', async (t) => {
  const { audio, playSurah, post, part, end, pass, status } = await box(t)
  await playSurah()
  audio.playTo(4500)
  const reply = await post('/playback/mode', drill({ gap_percent: 50 }))
  assert.equal(reply.statusCode, 200, reply.body)
  assert.deepEqual(part(), [4500, 6000], 'verse 3 to its end')
  assert.equal(reply.json().hifz.step, 0)
  await end()
  assert.deepEqual(part(), [0, 2000])
  const { hifz, verse, verse_sure, advance_mode } = await status()
  assert.deepEqual([advance_mode, verse, verse_sure], ['hifz_verses', 1, true])
  const { waiting, repeat_done, repeat_target, round, step, steps, repeat } = hifz
  assert.deepEqual(
    { waiting, repeat_done, repeat_target, round, step, steps, repeat },
    {
      waiting: false,
      repeat_done: 0,
      repeat_target: 2,
      round: { from: 1, to: 1 },
      step: 1,
      steps: 4,
      repeat: 2,
    },
  )
  await end()
  const { hifz: turn, position } = await status()
  assert.equal(position, 2000, 'where the verse has ended, not the surah')
  assert.deepEqual([turn.waiting, turn.gap_ms, turn.verse, turn.repeat_done], [true, 1000, 1, 1])
  await pass(999)
  assert.equal((await status()).hifz.waiting, true)
  await pass(1)
  assert.deepEqual([(await status()).hifz.waiting, part()], [false, [0, 2000]])
})

test('a stack over five verses is heard in its order to its end', async (t) => {
  const { audio, playSurah, post, end, pass, status } = await box(t)
  await playSurah()
  audio.playTo(DURATION_MS)
  const before = audio.loaded.length
  await post(
    '/playback/mode',
    drill({ method: 'stack', verses: { from: 1, to: 5 }, repeat: 1, link: 1 }),
  )
  while ((await status()).state !== 'stopped') {
    if ((await status()).hifz.waiting) await pass(20_000)
    else await end()
  }
  const heard = audio.loaded.slice(before).map(({ position_ms, until_ms = 0 }) => {
    const [from, to] = [position_ms / VERSE_MS + 1, until_ms / VERSE_MS]
    return from === to ? `${from}` : `${from}-${to}`
  })
  assert.equal(heard.join(' '), '1 2 1-2 3 1-3 4 1-4 5 1-5')
})

test('the event verse tells each verse when it begins', async (t) => {
  const { audio, clock, playSurah, seen, settled } = await box(t)
  await playSurah()
  await settled()
  const told = () => seen.filter(({ event }) => event === 'verse').map(({ data }) => data)
  assert.deepEqual(told(), [{ surah: 111, verse: 1 }])
  audio.playTo(1900)
  clock.advance(1000)
  audio.playTo(2005)
  clock.advance(200)
  assert.deepEqual(told().at(-1), { surah: 111, verse: 2 })
})

test('a surah that is over stays at its last verse until what follows begins', async (t) => {
  const { audio, box: player, clock, playSurah, seen, settled } = await box(t)
  await playSurah()
  await settled()
  audio.playTo(9000)
  clock.advance(1000)
  audio.end()
  const { position, verse } = player.player.status()
  assert.deepEqual([position, verse], [DURATION_MS, VERSES])
  clock.advance(1000)
  const told = seen.findLast(({ event }) => event === 'verse')?.data
  assert.deepEqual(told, { surah: 111, verse: VERSES })
})

test('POST /playback/seek takes a verse instead of a position', async (t) => {
  const { audio, playSurah, post, status } = await box(t)
  await playSurah()
  const reply = await post('/playback/seek', { verse: 4 })
  assert.equal(reply.statusCode, 200, reply.body)
  assert.equal(audio.output.snapshot().position_ms, 6000)
  assert.equal((await status()).verse, 4)
  for (const body of [{}, { position: 1, verse: 1 }])
    assert.match((await post('/playback/seek', body)).json().error, /^position: send exactly one/)
})

test('a surah of verse files plays file after file, and is drilled by its verses', async (t) => {
  const { audio, post, end, reader, settled, status } = await box(t)
  const tap = async (uid: string, mode?: object) => {
    const binding = { type: 'surah', reciter: 'Alafasy', surah: 111, ...(mode && { mode }) }
    const reply = await post('/rfid/cards', { uid, name: uid, binding })
    assert.equal(reply.statusCode, 200, reply.body)
    audio.loaded.length = 0
    reader.put(uid)
    await settled()
    reader.lift()
    await settled()
  }
  const files = () =>
    audio.loaded.map(({ source }) => source.kind === 'file' && path.basename(source.path)).join(' ')
  await tap('AAAA0001')
  await post('/playback/queue', { type: 'path', path: 'Husary/001.mp3' })
  assert.deepEqual([(await status()).surah_number, (await status()).verse], [111, 1])
  for (let verse = 1; verse <= VERSES; verse += 1) await end()
  assert.equal(files(), '1.wav 2.wav 3.wav 4.wav 5.wav 001.mp3')

  const mode = drill({ method: 'stack', repeat: 1, link: 1, gap_percent: 0, pause_s: 0 })
  await tap('AAAA0002', mode)
  for (let hearing = 0; hearing < 4; hearing += 1) await end()
  assert.equal(files(), '1.wav 2.wav 1.wav 2.wav')
  assert.equal((await status()).state, 'stopped')

  await tap('AAAA0003', { mode: 'repeat_one' })
  for (let verse = 1; verse <= VERSES; verse += 1) await end()
  assert.equal(files(), '1.wav 2.wav 3.wav 4.wav 5.wav 1.wav')
})

test('a surah of verse files counts as one play, as one in a single file does', async (t) => {
  const { end, get, post, status } = await box(t)
  const counts = async () => {
    const { favorites } = (await get('/favorites')).json()
    return favorites.map((one: { play_count: number }) => one.play_count)
  }
  const heard = async (path: string) => {
    await post('/playback/play', { path })
    while ((await status()).state !== 'stopped') await end()
  }
  const [one, many] = ['Husary/111.wav', 'Alafasy/111/1.wav'] as const
  for (const reciter of ['Husary', 'Alafasy'])
    await post('/favorites', { type: 'surah', reciter, surah: 111 })
  for (const path of [one, many]) await heard(path)
  assert.deepEqual(await counts(), [1, 1])

  await post('/playback/mode', { mode: 'hifz_repeat', repeat: 2 })
  for (const path of [one, many]) await heard(path)
  assert.deepEqual(await counts(), [2, 2])

  await post('/playback/mode', { mode: 'off' })
  for (const path of [one, many]) {
    await post('/playback/play', { path })
    await post('/playback/seek', { verse: 4 })
    await post('/playback/seek', { verse: 1 })
    await heard(path)
  }
  assert.deepEqual(await counts(), [4, 4], 'chosen again while it plays is another play')
})

test('a surah of verse files is heard to its end when the path that lists name is played', async (t) => {
  const { audio, get, post, end, settled, status } = await box(t)
  const { surahs } = (await get('/library/surahs?reciter=Alafasy')).json()
  const listed = surahs.find(({ number }: { number: number }) => number === 111)
  assert.equal(listed.by_verse, true, JSON.stringify(listed))
  audio.loaded.length = 0
  await post('/playback/play', { path: listed.path })
  await settled()
  assert.deepEqual([(await status()).surah_number, (await status()).verse], [111, 1])
  for (let verse = 1; verse < VERSES; verse += 1) await end()
  assert.equal(audio.loaded.length, VERSES)
})

test('a loop repeats a part of the file until another mode is chosen', async (t) => {
  const { audio, playSurah, post, part, end, status } = await box(t)
  await playSurah()
  audio.playTo(500)
  await post('/playback/mode', { mode: 'loop', loop: { from: 1000, to: 3000 } })
  assert.deepEqual(part(), [1000, 3000])
  await end()
  assert.deepEqual(part(), [1000, 3000])
  assert.deepEqual((await status()).loop, { from: 1000, to: 3000 })
  audio.playTo(1700)
  await post('/playback/mode', { mode: 'off' })
  assert.deepEqual(part(), [1700, undefined])
  await end()
  assert.equal((await status()).state, 'stopped')
})

describe('a loop beyond the end of its file', () => {
  const late = { mode: 'loop', loop: { from: 3_600_000, to: 3_700_000 } }
  const WHY = /loop\.to: the file is 10000 ms long/

  test('is refused while an adhan sounds over the file', async (t) => {
    const { end, playSurah, part, post } = await box(t)
    await playSurah()
    await post('/prayer/test-adhan')
    const reply = await post('/playback/mode', late)
    assert.equal(reply.statusCode, 400, reply.body)
    assert.match(reply.json().error, WHY)
    await end()
    assert.deepEqual(part(), [0, undefined])
  })

  test('is refused in the silence of hifz_repeat', async (t) => {
    const { end, playSurah, post, status } = await box(t)
    await post('/playback/mode', { mode: 'hifz_repeat', repeat: 3, pause_s: 30 })
    await playSurah()
    await end()
    assert.match((await post('/playback/mode', late)).json().error, WHY)
    const { advance_mode, hifz } = await status()
    assert.deepEqual([advance_mode, hifz.waiting], ['hifz_repeat', true])
  })

  test('of a card leaves what plays as it is, and is told where the owner looks', async (t) => {
    const { audio, get, post, reader, settled, status } = await box(t)
    const binding = { type: 'surah', reciter: 'Husary', surah: 111, mode: late }
    await post('/rfid/cards', { uid: 'AAAA0001', name: 'late', binding })
    await post('/playback/play', { path: 'Husary/112.mp3' })
    reader.put('AAAA0001')
    await settled()
    assert.equal((await status()).surah_number, 112)
    assert.equal(audio.loaded.length, 1)
    const { boot_failures } = (await get('/system')).json()
    assert.match(JSON.stringify(boot_failures), WHY)
  })

  /** Of this file nobody knows the length, and the engine lets go of what is over. */
  async function unmeasured(t: TestContext) {
    const ending = await box(t, {
      spoil: {
        audio: (output) => ({
          ...output,
          async load(source, options = {}) {
            await output.load(source, options)
            if ((options.position_ms ?? 0) >= DURATION_MS) ending.audio.end()
          },
        }),
      },
    })
    await ending.post('/playback/play', { path: 'Husary/112.mp3' })
    return ending
  }

  test('is not begun again and again where the length was not known', async (t) => {
    const { audio, end, post, settled, status } = await unmeasured(t)
    await post('/prayer/test-adhan')
    assert.equal((await post('/playback/mode', late)).statusCode, 200)
    const before = audio.attempts()
    await end()
    await settled()
    const { state, error } = await status()
    assert.deepEqual([state, error], ['stopped', 'it ends before 3600500 ms'])
    assert.ok(audio.attempts() - before <= 2, `${audio.attempts() - before} loads`)
  })

  test('of a schedule is told as its result where the length was not known', async (t) => {
    const { get, pass, post, wall, status } = await unmeasured(t)
    const due = new Date(wall.now() + 60_000)
    const target = { type: 'path', path: 'Husary/112.mp3', mode: late }
    const time = { hour: due.getUTCHours(), minute: due.getUTCMinutes(), days: 127 }
    await post('/schedules', { ...time, target })
    await pass(60_000)
    const { schedules } = (await get('/schedules')).json()
    const { outcome, reason } = schedules[0].last_result
    assert.deepEqual(
      [outcome, reason],
      ['failed', 'path: cannot be played: it ends before 3600500 ms'],
    )
    assert.deepEqual([(await status()).state, (await status()).advance_mode], ['stopped', 'off'])
  })

  test('but for less than the shortest loop is as good as beyond it', async (t) => {
    const { audio, get, post, reader, settled } = await box(t)
    const loop = { from: DURATION_MS - 10, to: DURATION_MS + 5000 }
    const mode = { mode: 'loop', loop }
    const binding = { type: 'path', path: 'Husary/112.mp3', mode }
    await post('/rfid/cards', { uid: 'AAAA0001', name: 'late', binding })
    reader.put('AAAA0001')
    await settled()
    assert.equal(audio.loaded.length, 1)
    assert.match((await get('/system')).body, /it ends before 10490 ms/)
  })
})

test('POST /playback/speed holds for files, over restarts, and not for the adhan', async (t) => {
  const first = await box(t)
  await first.playSurah()
  const reply = await first.post('/playback/speed', { speed: 75 })
  assert.deepEqual([reply.statusCode, reply.json().speed], [200, 75])
  assert.deepEqual(first.audio.speeds, [75])
  await first.post('/prayer/test-adhan', {})
  assert.equal(first.audio.loaded.at(-1)?.speed, undefined)
  await first.close()
  const { audio, playSurah, post, status } = await box(t, {
    dataDir: first.dataDir,
    cardDir: first.cardDir,
  })
  await playSurah()
  assert.equal(audio.loaded.at(-1)?.speed, 75)
  assert.equal((await status()).speed, 75)
  await post('/playback/speed', { speed: 100 })
  assert.equal((await status()).speed, undefined)
  await post('/playback/play', { url: 'http://radio.example/live' })
  assert.match((await post('/playback/speed', { speed: 80 })).json().error, /^speed: a live stream/)
})

test('after a power cut a drill goes on with the verse that was on', async (t) => {
  const first = await box(t)
  await first.playSurah()
  await first.post('/settings/auto-resume', { enabled: true })
  await first.post(
    '/playback/mode',
    drill({
      method: 'stack',
      verses: { from: 1, to: 3 },
      repeat: 1,
      link: 2,
      gap_percent: 0,
      pause_s: 0,
    }),
  )
  first.audio.playTo(DURATION_MS)
  await first.end()
  for (let round = 0; round < 4; round += 1) await first.end()
  assert.deepEqual(first.part(), [4000, 6000], 'verse 3 by itself')
  await first.end()
  assert.deepEqual(first.part(), [0, 6000], 'all three linked')
  first.audio.playTo(2700)
  first.clock.advance(1000)
  first.audio.playTo(3900)
  // Nothing is told to the box: its power is cut.
  const { db } = first
  const kept = db.prepare('SELECT position_ms FROM resume').get() as { position_ms: number }
  assert.equal(kept.position_ms, 2000, 'verse 2 of the three begins again')
  db.close()
  const second = await box(t, { dataDir: first.dataDir, cardDir: first.cardDir })
  await second.settled()
  assert.deepEqual(second.part(), [2000, 6000])
  const { hifz } = await second.status()
  assert.deepEqual([hifz.round, hifz.step, hifz.steps], [{ from: 1, to: 3 }, 6, 7])
})

test('a card carries a drill: both are set, or neither when it does not fit', async (t) => {
  const { audio, post, part, status, reader, settled } = await box(t)
  const give = async (uid: string, surah: number, mode: object) => {
    const binding = { type: 'surah', reciter: 'Husary', surah, mode }
    const reply = await post('/rfid/cards', { uid, name: uid, binding })
    assert.equal(reply.statusCode, 200, reply.body)
  }
  await give('AAAA0001', 111, drill({ verses: { from: 2, to: 4 } }))
  await give('AAAA0002', 111, drill({ verses: { from: 2, to: 6 } }))
  reader.put('AAAA0001')
  await settled()
  assert.deepEqual(part(), [2000, 4000])
  assert.equal((await status()).advance_mode, 'hifz_verses')
  await post('/playback/mode', { mode: 'off' })
  const loads = audio.loaded.length
  reader.lift()
  reader.put('AAAA0002')
  await settled()
  assert.equal(audio.loaded.length, loads)
  assert.equal((await status()).advance_mode, 'off')
})

const REFUSED: [what: string, body: object, error: RegExp][] = [
  ['no verses', { mode: 'hifz_verses' }, /^verses: is required for hifz_verses/],
  [
    'a range the wrong way',
    drill({ verses: { from: 3, to: 2 } }),
    /^verses.from: must not come after to/,
  ],
  ['verse 0', drill({ verses: { from: 0, to: 2 } }), /^verses.from:/],
  ['a verse too many', drill({ verses: { from: 1, to: 6 } }), /^verses.to: surah 111 has 5 verses/],
  ['a range without end', drill({ repeat: 0 }), /^repeat: can be 0/],
  ['1001 times', drill({ repeat: 1001 }), /^repeat:/],
  ['link without stack', drill({ link: 2 }), /^link: is for the method stack only/],
  ['an unknown method', drill({ method: 'shuffle' }), /^method:/],
  ['no passes', drill({ passes: 0 }), /^passes:/],
  ['a turn of 301 %', drill({ gap_percent: 301 }), /^gap_percent:/],
  ['a pause of 601 s', drill({ pause_s: 601 }), /^pause_s:/],
  ['unsure as text', drill({ unsure: 'yes' }), /^unsure:/],
  [
    'verses with another mode',
    { mode: 'off', verses: { from: 1, to: 2 } },
    /^verses: is for hifz_verses only/,
  ],
  ['an unknown field', drill({ shuffle: 1 }), /^shuffle:/],
  ['a loop without its part', { mode: 'loop' }, /^loop: is required/],
  [
    'a loop that is too short',
    { mode: 'loop', loop: { from: 5, to: 100 } },
    /^loop.to: must be at least 500/,
  ],
  [
    'a loop beyond the end',
    { mode: 'loop', loop: { from: 5, to: 10_001 } },
    /^loop.to: the file is 10000 ms long/,
  ],
]

test('POST /playback/mode refuses what is not a drill or a loop, and what plays goes on as it was', async (t) => {
  const { audio, playSurah, post, status, news, settled } = await box(t)
  await playSurah()
  await settled()
  const [before, loads] = [await status(), audio.loaded.length]
  for (const [what, body, error] of REFUSED)
    await t.test(what, async () => {
      news()
      const reply = await post('/playback/mode', body)
      assert.equal(reply.statusCode, 400, reply.body)
      assert.match(reply.json().error, error)
      assert.deepEqual(await status(), before)
      assert.deepEqual([audio.loaded.length, news()], [loads, []])
    })
})

test('verses that are not known are refused when asked for, and the surah is heard whole otherwise', async (t) => {
  const { post, part, playSurah, status } = await box(t)
  await post('/playback/play', { path: 'Husary/112.mp3' })
  const refused = await post('/playback/mode', drill())
  assert.match(refused.json().error, /^mode: the verses of this recording are not known/)
  await playSurah()
  await post('/playback/mode', drill())
  const reply = await post('/playback/play', { path: 'Husary/112.mp3' })
  assert.deepEqual([reply.statusCode, part()], [200, [0, undefined]])
  assert.match((await status()).hifz.problem, /^the verses of this recording are not known/)
})

test('POST /playback/speed refuses what is no speed', async (t) => {
  const { audio, playSurah, post } = await box(t)
  await playSurah()
  for (const speed of [49, 126, 99.5, '75', null]) {
    const reply = await post('/playback/speed', { speed })
    assert.equal(reply.statusCode, 400)
    assert.match(reply.json().error, /^speed:/)
  }
  assert.deepEqual(audio.speeds, [])
})

test('a drill of a card ends with what it plays, also over a power cut and in the queue', async (t) => {
  const first = await box(t)
  const binding = { type: 'surah', reciter: 'Husary', surah: 111, mode: drill({ repeat: 1 }) }
  await first.post('/rfid/cards', { uid: 'AAAA0001', name: 'drill', binding })
  await first.post('/settings/auto-resume', { enabled: true })
  await first.post('/playback/mode', { mode: 'repeat_one' })
  first.reader.put('AAAA0001')
  await first.settled()
  assert.equal((await first.status()).advance_mode, 'hifz_verses')
  first.db.close()

  const second = await box(t, { dataDir: first.dataDir, cardDir: first.cardDir })
  await second.settled()
  assert.deepEqual(
    [(await second.status()).advance_mode, second.part()],
    ['hifz_verses', [0, 2000]],
  )
  await second.post('/playback/queue', { type: 'surah', reciter: 'Husary', surah: 111 })
  await second.end()
  await second.pass(60_000)
  await second.end()
  assert.deepEqual(second.part(), [0, undefined], 'what was queued is heard whole')
  assert.equal((await second.status()).advance_mode, 'repeat_one')
  second.db.close()

  const third = await box(t, { dataDir: first.dataDir, cardDir: first.cardDir })
  await third.settled()
  assert.deepEqual(
    [(await third.status()).advance_mode, third.part()],
    ['repeat_one', [0, undefined]],
  )
})

test('a verse file that is no sound is passed, and the surah goes on behind it', async (t) => {
  const { audio, cardDir, put, post, end, status } = await box(t)
  put('Alafasy/111/3.wav', '')
  audio.unplayable.add(path.join(cardDir, 'Alafasy/111/3.wav'))
  await post('/library/rescan')
  const files = () =>
    audio.loaded.map(({ source }) => source.kind === 'file' && path.basename(source.path)).join(' ')
  await post('/playback/play', { path: 'Alafasy/111/1.wav' })
  for (let verse = 1; verse < VERSES - 1; verse += 1) await end()
  assert.equal(files(), '1.wav 2.wav 4.wav 5.wav')
  await end()
  assert.deepEqual([(await status()).state, (await status()).error], ['stopped', undefined])

  await post('/playback/play', { path: 'Alafasy/111/1.wav' })
  const refused = await post('/playback/mode', drill({ verses: { from: 2, to: 4 } }))
  assert.match(refused.json().error, /^verses: not sure where these begin or end: 3;/)
  assert.equal(
    (await post('/playback/mode', drill({ verses: { from: 4, to: 5 } }))).statusCode,
    200,
  )
})

test('an adhan at the very end of the last verse leaves the drill to go on', async (t) => {
  const { audio, end, part, playSurah, post, status } = await box(t)
  await playSurah()
  await post('/playback/mode', drill({ verses: { from: 5, to: 5 }, gap_percent: 0 }))
  await end()
  assert.deepEqual(part(), [8000, 10_000])
  audio.playTo(10_000)
  await post('/prayer/test-adhan')
  await end()
  const { state, hifz, error } = await status()
  assert.deepEqual([state, hifz?.repeat_done, error], ['playing', 0, undefined])
  await end()
  assert.deepEqual([(await status()).hifz.repeat_done, part()], [1, [8000, 10_000]])
})
