import assert from 'node:assert/strict'
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import { BASMALA_BEATS } from '@manara/player-contract/verse-beats'
import type { VersesEvent, VersesReport } from '@manara/player-contract/verses'
import type { MeasureSound } from '../../../ports/sound-levels.ts'
import { playerFixture } from '../../../testing/player-fixture.ts'
import { humming, recite } from './testing/recite.ts'

// Real files and real decoding: a made-up reading of surah 112, 80 ms a beat.
const READING = recite(112, { rate: 80, lead: [BASMALA_BEATS] })
const SOUND = humming(READING.spans, READING.duration_ms)
const AUDIO = 'Husary/112.wav'

type Files = Record<string, string | Buffer>

/** The box with these files on its card. */
async function boxWith(t: TestContext, files: Files, options: { measure?: MeasureSound } = {}) {
  const box = await playerFixture(t, { files: ['Husary/001.mp3'], ...options })
  const put = (more: Files) => {
    for (const [name, content] of Object.entries(more)) {
      const target = path.join(box.cardDir, name)
      mkdirSync(path.dirname(target), { recursive: true })
      writeFileSync(target, content)
    }
  }
  put(files)
  await box.post('/library/rescan')
  const ask = async (surah = 112, reciter = 'Husary'): Promise<VersesReport> =>
    (await box.get(`/library/verses?reciter=${reciter}&surah=${surah}`)).json()
  /** Asks, waits for the search if there is one, and asks again. */
  const known = async (surah = 112, reciter = 'Husary') => {
    const over = searchOver(box)
    const first = await ask(surah, reciter)
    if (!first.searching) return first
    await over
    return ask(surah, reciter)
  }
  const mark = (verse: number, start: number, more: object = {}) =>
    box.post('/library/verses', { reciter: 'Husary', surah: 112, verse, start, ...more })
  return { ...box, put, ask, known, mark }
}

const searchOver = ({ events }: Pick<Awaited<ReturnType<typeof playerFixture>>, 'events'>) =>
  new Promise<VersesEvent>((resolve) => {
    const end = events.on('verses', (event) => {
      if (event.state === 'searching') return
      end()
      resolve(event)
    })
  })

const starts = ({ verses }: VersesReport) => verses.map(({ start }) => start)
const isNear = (report: VersesReport) =>
  report.verses.length === 4 &&
  report.verses.every(({ start }, index) => Math.abs(start - (READING.starts[index] ?? 0)) <= 200)

const labels = (at: readonly number[]) =>
  at.map((start, index) => `${start / 1000}\t${start / 1000}\t${index + 1}`).join('\n')

test('GET /library/verses finds the verses of a recording, telling how far it has come', async (t) => {
  const { ask, known, seen } = await boxWith(t, { [AUDIO]: SOUND })
  const first = await ask()
  assert.deepEqual([first.source, first.searching, first.verses], ['none', true, []])
  assert.match(first.reason, /has still to be listened to/)
  const report = await known()
  assert.equal(report.source, 'found')
  assert.ok(isNear(report), JSON.stringify(report.verses))
  assert.equal(report.verses[0]?.path, AUDIO)
  const told = seen.filter(({ event }) => event === 'verses').map(({ data }) => data as VersesEvent)
  assert.equal(told[0]?.percent, 0)
  assert.deepEqual(told.at(-1), { reciter: 'Husary', surah: 112, state: 'found', percent: 100 })
  assert.deepEqual(await ask(), report, 'it is not listened to twice')
})

test('a recording that the card keeps is not listened to again and again, until the card was out', async (t) => {
  let listened = 0
  const measure: MeasureSound = () => {
    listened += 1
    return { levels: Promise.resolve(undefined), rest() {}, goOn() {} }
  }
  const { ask, events, settled } = await boxWith(t, { [AUDIO]: SOUND }, { measure })
  await ask()
  await settled()
  const { reason, searching } = await ask()
  assert.deepEqual([listened, searching], [1, false])
  assert.match(reason, /the card does not answer/)
  events.emit('storage', { present: false })
  await ask()
  assert.equal(listened, 2)
})

const VERSE_FOLDERS: [layout: string, name: (verse: number) => string][] = [
  ['SSSAAA', (verse) => `Alafasy/11200${verse}.wav`],
  ['S_A', (verse) => `Alafasy/112_${verse}.wav`],
  ['S/A', (verse) => `Alafasy/112/${verse}.wav`],
  ['SSS/AAA', (verse) => `Alafasy/112/00${verse}.wav`],
]
for (const [layout, name] of VERSE_FOLDERS)
  test(`files of single verses as ${layout} are the verses`, async (t) => {
    const second = humming([[0, 900]], 1_000)
    const files = Object.fromEntries([1, 2, 3, 4].map((verse) => [name(verse), second]))
    const { ask, put, cardDir, get } = await boxWith(t, files)
    const report = await ask(112, 'Alafasy')
    assert.deepEqual([report.source, report.reason], ['files', ''])
    assert.deepEqual(
      report.verses.map(({ verse, path, start, end, sure }) => [verse, path, start, end, sure]),
      [1, 2, 3, 4].map((verse) => [verse, name(verse), 0, 1_000, true]),
    )
    const { reciters } = (await get('/library/reciters')).json()
    assert.deepEqual(
      reciters.map((reciter: { name: string }) => reciter.name),
      ['Alafasy', 'Husary'],
    )

    rmSync(path.join(cardDir, name(3)))
    const hole = await ask(112, 'Alafasy')
    assert.deepEqual([hole.source, hole.verses], ['none', []])
    assert.match(hole.reason, /the file of verse 3 is missing/)

    put({ [name(3)]: 'this is no sound' })
    assert.match((await ask(112, 'Alafasy')).reason, /does not say how long it is/)
  })

const db = (fill: (db: DatabaseSync) => void) => (file: string) => {
  const made = new DatabaseSync(file)
  fill(made)
  made.close()
}
const timingDb = (at: readonly number[]) =>
  db((made) => {
    made.exec('CREATE TABLE timings (sura INTEGER, ayah INTEGER, time INTEGER, words TEXT)')
    const insert = made.prepare('INSERT INTO timings VALUES (112, ?, ?, ?)')
    insert.run(0, 0, '')
    for (const [index, time] of at.entries()) insert.run(index + 1, time, '1:0:5')
    insert.run(999, READING.duration_ms, '')
  })
const keyed = (at: readonly number[]) =>
  JSON.stringify(
    Object.fromEntries(at.map((start, index) => [`112:${index + 1}`, { timestamp_from: start }])),
  )

const TIMINGS: [
  name: string,
  content: (at: readonly number[]) => string | ((file: string) => void),
][] = [
  ['Husary/112.json', keyed],
  ['Husary/112.txt', labels],
  ['Husary/timings.json', keyed],
  ['Husary/husary.db', timingDb],
]
for (const [name, content] of TIMINGS) {
  const write = (cardDir: string, at: readonly number[]) => {
    const target = path.join(cardDir, name)
    const made = content(at)
    if (typeof made === 'string') writeFileSync(target, made)
    else {
      rmSync(target, { force: true })
      made(target)
    }
  }

  test(`${name} says where the verses are, when it fits the recording`, async (t) => {
    const { cardDir, known } = await boxWith(t, { [AUDIO]: SOUND })
    write(cardDir, READING.starts)
    const report = await known()
    assert.deepEqual([report.source, report.reason], ['timing', ''])
    assert.deepEqual(starts(report), READING.starts)
    assert.ok(report.verses.every(({ sure }) => sure))
  })

  test(`${name} of another recording is refused with the reason, and the verses are found`, async (t) => {
    const { cardDir, known } = await boxWith(t, { [AUDIO]: SOUND })
    const inTheMiddle = READING.starts.map((start) => start + 700)
    write(cardDir, inTheMiddle)
    const report = await known()
    assert.equal(report.source, 'found')
    assert.match(
      report.reason,
      new RegExp(`${path.basename(name)}: belongs to another recording: `),
    )
    assert.ok(isNear(report))
  })
}

const BROKEN: [
  name: string,
  content: string | Buffer | ((file: string) => void),
  reason: RegExp,
][] = [
  ['112.json', '{"112:1": {', /112\.json: is not JSON/],
  ['112.json', '[1, 2, 3]', /112\.json: is in no shape that is known/],
  ['112.json', Buffer.alloc(8 * 2 ** 20 + 1, ' '), /112\.json: is larger than 8 MB/],
  ['112.txt', 'a note for myself', /112\.txt: has no lines of the kind/],
  ['112.txt', labels(READING.starts.slice(0, 3)), /112\.txt: it has 3 verses, surah 112 has 4/],
  ['x.db', 'not a database at all'.repeat(200), /x\.db: is not an SQLite file/],
  ['x.db', db((made) => made.exec('CREATE TABLE other (a)')), /x\.db: has no table `timings`/],
  [
    'x.db',
    db((made) =>
      made.exec(
        'CREATE VIEW timings AS WITH RECURSIVE c(sura, ayah, time) AS (SELECT 112, 1, 1 UNION ALL SELECT 112, 1, time + 1 FROM c) SELECT * FROM c',
      ),
    ),
    /x\.db: has no table `timings`/,
  ],
  ['x.db', db((made) => made.exec('CREATE TABLE timings (sura, ayah)')), /without the columns/],
]
test('a timing file that is broken, huge or hostile is named, and the verses are found', async (t) => {
  const { cardDir, known } = await boxWith(t, { [AUDIO]: SOUND })
  await known()
  for (const [name, content, reason] of BROKEN) {
    const target = path.join(cardDir, 'Husary', name)
    if (typeof content === 'function') content(target)
    else writeFileSync(target, content)
    const report = await known()
    assert.match(report.reason, reason)
    assert.equal(report.source, 'found')
    rmSync(target)
  }
})

test('a file that holds no recitation says none with the reason, and is not listened to again', async (t) => {
  const { ask, known } = await boxWith(t, {
    [AUDIO]: humming([[0, 3_000]], 3_000),
    'Husary/111.wav': 'this is no sound',
  })
  const report = await known()
  assert.deepEqual([report.source, report.searching, report.verses], ['none', false, []])
  assert.match(report.reason, /0 pauses and surah 112 has 4 verses/)
  assert.deepEqual(await ask(), report)
  const broken = await known(111)
  assert.deepEqual([broken.source, broken.searching], ['none', false])
  assert.match(broken.reason, /cannot be listened to: not a sound file/)
})

test('POST /library/verses pins a verse by ear, also after a restart, until it is forgotten', async (t) => {
  const { known, mark, close, dataDir, cardDir, del } = await boxWith(t, { [AUDIO]: SOUND })
  const before = await known()
  const at = (before.verses[2]?.start ?? 0) + 90
  const marked = (await mark(3, at)).json()
  assert.equal(marked.success, true)
  assert.deepEqual(
    marked.verses.map(({ pinned }: { pinned: boolean }) => pinned),
    [false, false, true, false],
  )
  assert.deepEqual([marked.verses[2].start, marked.verses[1].end], [at, at])
  assert.equal((await mark(4, at + 3_000)).statusCode, 200)

  const forgotten = (await del('/library/verses?reciter=Husary&surah=112')).json()
  assert.equal(forgotten.success, true)
  assert.deepEqual(forgotten.verses, before.verses)
  await mark(3, at)
  const kept = await known()
  await close()
  const again = await playerFixture(t, { dataDir, cardDir, files: [] })
  const after = await again.get('/library/verses?reciter=Husary&surah=112')
  assert.deepEqual(after.json(), kept)
})

test('marks by ear go before a timing file', async (t) => {
  const { known, mark } = await boxWith(t, {
    [AUDIO]: SOUND,
    'Husary/112.txt': labels(READING.starts),
  })
  await known()
  const at = (READING.starts[1] ?? 0) + 120
  const report = (await mark(2, at)).json()
  assert.deepEqual([report.source, report.verses[1].start], ['timing', at])
  assert.equal(report.verses[0].end, at)
})

test('a recording whose pauses tell nothing can be marked verse by verse', async (t) => {
  const { known, mark } = await boxWith(t, { [AUDIO]: humming([[0, 9_000]], 9_000) })
  assert.equal((await known()).source, 'none')
  await mark(2, 3_000)
  await mark(1, 500)
  const report: VersesReport = (await mark(3, 5_000)).json()
  assert.equal(report.source, 'found')
  assert.deepEqual(starts(report).slice(0, 3), [500, 3_000, 5_000])
  assert.deepEqual(
    report.verses.map(({ sure }) => sure),
    [true, true, false, false],
  )
})

test('another recording under the same name has no marks and is listened to anew', async (t) => {
  const { ask, known, mark, cardDir } = await boxWith(t, { [AUDIO]: SOUND })
  await known()
  await mark(3, READING.starts[2] ?? 0)
  const file = path.join(cardDir, AUDIO)
  utimesSync(file, 1_700_000_000, 1_700_000_000)
  const first = await ask()
  assert.deepEqual([first.source, first.searching], ['none', true])
  const report = await known()
  assert.ok(report.verses.every(({ pinned }) => !pinned))
})

test('what is refused names the field and changes nothing', async (t) => {
  const { known, mark, post, get, del } = await boxWith(t, { [AUDIO]: SOUND })
  const before = await known()
  await mark(2, READING.starts[1] ?? 0)
  const kept = await known()
  for (const [reply, status, error] of [
    [await mark(5, 9), 400, /^verse: surah 112 has 4 verses/],
    [await mark(0, 9), 400, /^verse: /],
    [await mark(2, -1), 400, /^start: /],
    [await mark(2, 1.5), 400, /^start: /],
    [await mark(4, READING.duration_ms + 99_000), 400, /^start: the recording is \d+ ms long/],
    [await mark(3, 5), 400, /^start: must come after verse 2, which is marked at \d+ ms/],
    [await mark(1, READING.duration_ms - 90), 400, /^start: must come before verse 2/],
    [await mark(2, 5, { surah: 115 }), 400, /^surah: /],
    [await mark(2, 5, { surah: 50 }), 400, /^surah: Husary has no surah 50 on the card/],
    [await mark(2, 5, { reciter: 'Nobody' }), 404, /reciter Nobody not found/],
    [await mark(2, 5, { more: 1 }), 400, /more/],
    [await get('/library/verses?reciter=Husary'), 400, /^surah: is required/],
    [await get('/library/verses?reciter=Husary&surah=0'), 400, /^surah: must be 1 to 114/],
    [await get('/library/verses?reciter=Nobody&surah=1'), 404, /Nobody not found/],
    [await get('/library/verses?reciter=..&surah=1'), 404, /not found/],
    [await del('/library/verses?reciter=Husary&surah=50'), 400, /^surah: /],
    [
      await post('/library/verses', { reciter: 'Husary', surah: 112, verse: 2, start: 5 }, 'no'),
      401,
      /./,
    ],
  ] as const) {
    assert.equal(reply.statusCode, status, reply.body)
    assert.match(reply.json().error, error)
  }
  assert.deepEqual(await known(), kept)
  assert.equal(before.source, 'found')
})

test('a search rests while something plays, and ends with the card and with the box', async (t) => {
  const asked: { path: string; rests: string[]; signal: AbortSignal }[] = []
  const measure: MeasureSound = (file, { signal }) => {
    const rests: string[] = []
    asked.push({ path: file, rests, signal })
    const levels = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => levels.reject(signal.reason))
    return {
      levels: levels.promise,
      rest: () => rests.push('rest'),
      goOn: () => rests.push('go on'),
    }
  }
  const { ask, events, close, seen } = await boxWith(
    t,
    { [AUDIO]: SOUND, 'Husary/111.wav': SOUND },
    { measure },
  )
  const playback = (state: PlaybackStatus['state']) =>
    events.emit('playback', { state } as PlaybackStatus)
  playback('playing')
  assert.equal((await ask()).searching, true)
  assert.equal((await ask(111)).searching, true)
  assert.equal(asked.length, 0, 'nothing is listened to while something plays')
  playback('paused')
  assert.equal(asked.length, 1, 'one after the other')
  playback('playing')
  playback('stopped')
  assert.deepEqual(asked[0]?.rests, ['rest', 'go on'])
  const over = searchOver({ events })
  events.emit('storage', { present: false })
  assert.equal((await over).state, 'none')
  assert.ok(asked[0]?.signal.aborted)
  assert.equal(asked.length, 1, 'what waited is called off as well')
  assert.equal((await ask()).searching, true, 'it can be asked for again')
  await close()
  assert.ok(asked[1]?.signal.aborted)
  assert.equal(seen.filter(({ event }) => event === 'verses').length, 4)
})
