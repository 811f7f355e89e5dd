import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type FixtureOptions, playerFixture } from '../../testing/player-fixture.ts'

const FILES = [1, 2, 67, 78, 79, 114].map((n) => `Husary/${String(n).padStart(3, '0')}.mp3`)
const surah = (number: number) => ({ type: 'surah', reciter: 'Husary', surah: number })

async function queueBox(t: TestContext, options: FixtureOptions = {}) {
  const box = await playerFixture(t, { files: FILES, ...options })
  return {
    ...box,
    add: (body: object) => box.post('/playback/queue', body),
    status: async () => (await box.get('/playback/status')).json(),
    queued: async () =>
      (await box.get('/playback/queue'))
        .json()
        .queue.map(({ surah_number }: { surah_number: number }) => surah_number),
    async end(...how: Parameters<typeof box.audio.end>) {
      box.audio.end(...how)
      await box.settled()
    },
  }
}

test('what is queued plays after the current one, in order, and then the mode decides', async (t) => {
  const box = await queueBox(t)
  await box.post('/playback/mode', { mode: 'continuous' })
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  const reply = (await box.add(surah(114))).json()
  assert.deepEqual([reply.success, reply.added, reply.started], [true, 1, false])
  await box.add(surah(67))
  assert.deepEqual([(await box.status()).surah_number, await box.queued()], [1, [114, 67]])
  await box.end()
  assert.deepEqual([(await box.status()).surah_number, await box.queued()], [114, [67]])
  await box.end()
  assert.deepEqual([(await box.status()).surah_number, await box.queued()], [67, []])
  await box.end()
  assert.equal((await box.status()).surah_number, 78, 'continuous goes on from there')
})

test('with nothing playing the first begins at once', async (t) => {
  const box = await queueBox(t)
  const reply = (await box.add(surah(2))).json()
  assert.deepEqual([reply.started, reply.queue, (await box.status()).surah_number], [true, [], 2])
})

test('of two that are added at once while nothing plays, one begins and one waits', async (t) => {
  const box = await queueBox(t)
  const replies = await Promise.all([box.add(surah(2)), box.add(surah(67))])
  const started = replies.map((reply) => reply.json().started)
  assert.deepEqual(started.toSorted(), [false, true])
  const heard = [(await box.status()).surah_number, ...(await box.queued())]
  assert.deepEqual(heard.toSorted(), [2, 67])
})

test('a repetition for memorising comes to its end before the queue', async (t) => {
  const box = await queueBox(t)
  await box.post('/playback/mode', { mode: 'hifz_repeat', repeat: 2 })
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  await box.add(surah(2))
  await box.end()
  assert.equal((await box.status()).surah_number, 1)
  await box.end()
  assert.equal((await box.status()).surah_number, 2)
})

test('the queue survives a restart', async (t) => {
  const box = await queueBox(t)
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  await box.add(surah(2))
  await box.add(surah(114))
  await box.close()
  const again = await queueBox(t, { dataDir: box.dataDir })
  assert.deepEqual(await again.queued(), [2, 114])
})

test('one that has gone from the card meanwhile is left out', async (t) => {
  const box = await queueBox(t)
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  await box.add(surah(2))
  await box.add(surah(114))
  box.audio.unplayable.add(`${box.cardDir}/Husary/002.mp3`)
  await box.end()
  assert.deepEqual([(await box.status()).surah_number, await box.queued()], [114, []])
})

test('with nothing playing, what cannot be played is left out by name and what is added begins', async (t) => {
  const box = await queueBox(t)
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  for (const number of [2, 67]) await box.add(surah(number))
  await box.post('/playback/stop')
  for (const file of ['002', '067']) box.audio.unplayable.add(`${box.cardDir}/Husary/${file}.mp3`)
  box.seen.splice(0)
  const reply = await box.add(surah(114))
  assert.equal(reply.statusCode, 200, reply.body)
  const { added, started, queue, note } = reply.json()
  assert.deepEqual([added, started, queue], [1, true, []])
  assert.match(note, /^left out: Husary\/002\.mp3 cannot be played: .*; Husary\/067\.mp3 cannot/)
  assert.equal((await box.status()).surah_number, 114)
  assert.ok(box.seen.some(({ event }) => event === 'queue'))
})

test('of a juz that is added while nothing plays the first that can be played begins', async (t) => {
  const box = await queueBox(t)
  box.audio.unplayable.add(`${box.cardDir}/Husary/078.mp3`)
  const { note } = (await box.add({ type: 'juz', reciter: 'Husary', juz: 30 })).json()
  assert.match(note, /^juz 30 is .*; left out: Husary\/078\.mp3 cannot be played/)
  assert.deepEqual([(await box.status()).surah_number, await box.queued()], [79, [114]])
})

test('where nothing can be played what is added is refused and what was queued stays', async (t) => {
  const box = await queueBox(t)
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  await box.add(surah(2))
  await box.post('/playback/stop')
  for (const file of ['002', '114']) box.audio.unplayable.add(`${box.cardDir}/Husary/${file}.mp3`)
  const reply = await box.add(surah(114))
  assert.equal(reply.statusCode, 400, reply.body)
  assert.match(reply.json().error, /^path: cannot be played/)
  assert.deepEqual(await box.queued(), [2])
})

const station = { type: 'stream', url: 'http://radio.example/live' }

test('a station that is not there is left out, and the queue goes on behind it', async (t) => {
  const box = await queueBox(t)
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  await box.post('/playback/mode', { mode: 'continuous' })
  for (const target of [station, surah(67), station]) await box.add(target)
  await box.end()
  assert.equal((await box.status()).state, 'buffering')
  await box.end('error', 'the station answered 404')
  assert.deepEqual([(await box.status()).surah_number, await box.queued()], [67, [0]])
  await box.end()
  await box.end('error', 'the station answered 404')
  assert.equal(
    (await box.status()).surah_number,
    78,
    'continuous goes on from the last that was heard',
  )
})

test('a station that began the queue and is not there is left out as well', async (t) => {
  const box = await queueBox(t)
  assert.equal((await box.add(station)).json().started, true)
  await box.add(surah(67))
  await box.end('error', 'the station answered 404')
  assert.deepEqual([(await box.status()).surah_number, await box.queued()], [67, []])
})

test('a station that is not there, with nothing behind it, says why and leaves the place', async (t) => {
  const box = await queueBox(t)
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  await box.post('/playback/stop')
  await box.post('/playback/mode', { mode: 'repeat_one' })
  await box.add(station)
  await box.end('error', 'the station answered 404')
  const { state, error } = await box.status()
  assert.deepEqual([state, error], ['stopped', 'the station answered 404'])
  assert.equal((await box.post('/playback/resume')).json().surah_number, 2)
})

test('a station that somebody chose, or that has sounded, stops and leaves the queue alone', async (t) => {
  const box = await queueBox(t)
  await box.post('/playback/play', { url: station.url })
  await box.add(station)
  await box.add(surah(67))
  await box.end('error', 'the station answered 404')
  assert.deepEqual([(await box.status()).state, await box.queued()], ['stopped', [0, 67]])
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  await box.end()
  box.audio.become('playing')
  await box.end('lost', 'the station is gone')
  assert.deepEqual([(await box.status()).state, await box.queued()], ['stopped', [67]])
})

test('a juz plays the surahs it touches, whole, and says so', async (t) => {
  const box = await queueBox(t)
  const { added, note, queue } = (await box.add({ type: 'juz', reciter: 'Husary', juz: 1 })).json()
  assert.deepEqual([added, queue.length], [2, 1])
  assert.equal(note, 'juz 1 is 1:1 to 2:141; the surahs it touches play whole')
  const hizb = (await box.add({ type: 'hizb', reciter: 'Husary', hizb: 59 })).json()
  assert.match(hizb.note, /^hizb 59 is 78:1 to 86:17; .* surah 80, 81, .* is not on the card$/)
  assert.deepEqual(await box.queued(), [2, 78, 79])
})

test('a schedule and a card can play a juz', async (t) => {
  const box = await queueBox(t)
  const target = { type: 'juz', reciter: 'Husary', juz: 30 }
  const reply = await box.post('/schedules', { hour: 5, minute: 0, days: 127, target })
  assert.equal(reply.statusCode, 200, reply.body)
  box.clock.advance(5 * 3_600_000)
  await box.settled()
  assert.deepEqual([(await box.status()).surah_number, await box.queued()], [78, [79, 114]])

  box.db.exec('PRAGMA query_only = ON')
  box.clock.advance(86_400_000)
  await box.settled()
  const [{ last_result }] = (await box.get('/schedules')).json().schedules
  assert.equal(last_result.outcome, 'fired', 'all of it on a full disk, too')
  assert.deepEqual(await box.queued(), [79, 114])
  await box.end()
  const { queue } = (await box.get('/playback/queue')).json()
  assert.equal((await box.del(`/playback/queue/${queue[0].id}`)).statusCode, 200)
  assert.deepEqual([(await box.status()).surah_number, await box.queued()], [79, []])
})

/** By a card of its own that is put on the reader. */
async function tap(
  box: Awaited<ReturnType<typeof queueBox>>,
  binding: { juz: number } | { hizb: number },
) {
  const uid = `AAAA00${'juz' in binding ? binding.juz : binding.hizb}`
  await box.post('/rfid/cards', { uid, name: uid, binding, second_tap: 'restart' })
  box.reader.put(uid)
  await box.settled()
  box.reader.lift()
  await box.settled()
}

const JUZ_30 = { type: 'juz', reciter: 'Husary', juz: 30 }
const HIZB_59 = { type: 'hizb', reciter: 'Husary', hizb: 59 }

test('a juz that is begun again takes the place of what is left of it, and of nothing else', async (t) => {
  const box = await queueBox(t)
  await tap(box, JUZ_30)
  for (const number of [114, 2]) await box.add(surah(number))
  await tap(box, HIZB_59)
  assert.deepEqual(await box.queued(), [79, 79, 114, 114, 2])
  await tap(box, JUZ_30)
  assert.deepEqual(await box.queued(), [79, 114, 79, 114, 2])
  await box.close()
  const again = await queueBox(t, { dataDir: box.dataDir, cardDir: box.cardDir })
  assert.deepEqual(await again.queued(), [79, 114, 79, 114, 2])
  await tap(again, JUZ_30)
  assert.deepEqual(await again.queued(), [79, 114, 79, 114, 2], 'also after a restart')
})

/** What somebody has queued: surah 1 over and over, and surah 2 as the last. */
function fill(box: Awaited<ReturnType<typeof queueBox>>, count: number) {
  const add = box.db.prepare('INSERT INTO queue (place, track) VALUES (?, ?)')
  for (let place = 1; place <= count; place += 1) {
    const surah_number = place < count ? 1 : 2
    const path = FILES[surah_number - 1]
    add.run(place, JSON.stringify({ kind: 'file', path, reciter: 'Husary', surah_number }))
  }
}

test('in a full queue what is left of other parts gives way, and nothing that somebody queued', async (t) => {
  const first = await queueBox(t)
  await tap(first, JUZ_30)
  fill(first, 498)
  await first.close()
  const box = await queueBox(t, { dataDir: first.dataDir, cardDir: first.cardDir })
  const ends = async () => {
    const queued = await box.queued()
    return [queued.length, queued.slice(0, 3), queued.at(-1)]
  }
  assert.deepEqual(await ends(), [500, [79, 114, 1], 2])
  await tap(box, HIZB_59)
  assert.deepEqual(await ends(), [500, [79, 79, 1], 2])
  await tap(box, JUZ_30)
  assert.deepEqual(await ends(), [500, [79, 114, 1], 2])
})

test('where all of a full queue is what somebody queued, its end gives way', async (t) => {
  const first = await queueBox(t)
  fill(first, 500)
  await first.close()
  const box = await queueBox(t, { dataDir: first.dataDir, cardDir: first.cardDir })
  await tap(box, JUZ_30)
  const queued = await box.queued()
  assert.deepEqual([queued.length, queued.slice(0, 3), queued.at(-1)], [500, [79, 114, 1], 1])
  await box.close()
  const again = await queueBox(t, { dataDir: first.dataDir, cardDir: first.cardDir })
  assert.deepEqual(await again.queued(), queued)
})

test('DELETE takes one out, or all', async (t) => {
  const box = await queueBox(t)
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  for (const number of [2, 67, 114]) await box.add(surah(number))
  const { queue } = (await box.get('/playback/queue')).json()
  assert.equal((await box.del(`/playback/queue/${queue[1].id}`)).statusCode, 200)
  assert.deepEqual(await box.queued(), [2, 114])
  assert.equal((await box.del('/playback/queue/999')).statusCode, 404)
  assert.equal((await box.del('/playback/queue/x')).statusCode, 404)
  assert.deepEqual((await box.del('/playback/queue')).json(), { success: true, queue: [] })
  assert.equal((await box.status()).surah_number, 1, 'what plays goes on')
})

test('every change is a queue event', async (t) => {
  const box = await queueBox(t)
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  box.seen.splice(0)
  await box.add(surah(2))
  await box.end()
  const lengths = box.seen.flatMap(({ event, data }) =>
    event === 'queue' ? [(data as { queue: unknown[] }).queue.length] : [],
  )
  assert.deepEqual(lengths, [1, 0])
})

const REFUSED: [body: object, error: RegExp][] = [
  [{ type: 'surah', reciter: 'Husary', surah: 3 }, /^surah/],
  [{ type: 'surah', reciter: 'Nobody', surah: 1 }, /^surah/],
  [{ type: 'juz', reciter: 'Husary', juz: 31 }, /^juz/],
  [{ type: 'juz', reciter: 'Husary', juz: 20 }, /^juz: no surah of juz 20/],
  [{ type: 'juz', reciter: 'Husary' }, /^juz/],
  [{ type: 'hizb', reciter: 'Husary', juz: 1 }, /^(hizb|juz)/],
  [{ type: 'path', path: '../x.mp3' }, /^path/],
  [{ type: 'favorite', id: 9 }, /^id/],
  [{ type: 'adhan' }, /^type/],
  [{ type: 'action', action: 'stop' }, /^type/],
  [{ ...surah(1), mode: { mode: 'off' } }, /^mode/],
  [{}, /^type/],
]
for (const [body, error] of REFUSED)
  test(`POST /playback/queue refuses ${JSON.stringify(body)}`, async (t) => {
    const box = await queueBox(t)
    const reply = await box.add(body)
    assert.equal(reply.statusCode, 400, reply.body)
    assert.match(reply.json().error, error)
    assert.deepEqual(await box.queued(), [])
  })

test('GET /library/parts tells where the parts begin and end', async (t) => {
  const { get } = await playerFixture(t)
  const { juz, hizb, note } = (await get('/library/parts')).json()
  assert.deepEqual([juz.length, hizb.length], [30, 60])
  assert.match(note, /whole surahs/)
})
