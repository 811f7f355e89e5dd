import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { LearnerExport, Progress, Today } from '@manara/player-contract/learners'
import { wavFile } from '../../adapters/testing/media.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { type FixtureOptions, playerFixture, TOKEN } from '../../testing/player-fixture.ts'

const PLAN = {
  order: 'backward',
  start: { surah: 114, verse: 1 },
  unit: 'verse',
  amount: 3,
  days: 127,
  reciter: 'Husary',
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A box on a Sunday morning, with the verses of surah 114 as files. */
async function classroom(t: TestContext, options: FixtureOptions = {}) {
  const clock = createManualClock(Date.parse('2026-03-01T08:00:00Z'))
  const files = ['Husary/001.mp3', 'Husary/114.mp3']
  const box = await playerFixture(t, { clock, files, ...options })
  const call = async (method: Method, url: string, payload?: object, token = TOKEN) => {
    const reply = await box.app.inject({
      method,
      url: `/api/hifz${url}`,
      headers: { authorization: `Bearer ${token}` },
      ...(payload ? { payload } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  const add = async (name: string, plan: object | undefined = PLAN): Promise<number> => {
    const { body } = await call('POST', '/learners', { name })
    if (plan) assert.equal((await call('PUT', `/learners/${body.id}/plan`, plan)).status, 200)
    return body.id
  }
  const grade = (id: number, range: string, grade: string, by = 'teacher', more = {}) => {
    const [surah = 0, from = 0, to = 0] = range.split(/[:-]/).map(Number)
    return call('POST', `/learners/${id}/grades`, { surah, from, to, grade, by, ...more })
  }
  const today = async (id: number): Promise<Today> =>
    (await call('GET', `/learners/${id}/today`)).body
  const progress = async (id: number): Promise<Progress> =>
    (await call('GET', `/learners/${id}/progress`)).body
  const putVerses = () => {
    mkdirSync(path.join(box.cardDir, 'Husary'), { recursive: true })
    for (let verse = 1; verse <= 6; verse++)
      writeFileSync(
        path.join(box.cardDir, `Husary/11400${verse}.wav`),
        wavFile(8_000, 8_000, (frame) => [frame % 900, frame % 900]),
      )
  }
  return { ...box, clock, call, add, grade, today, progress, putVerses }
}

test('learners are read and changed with the token only, and the event tells an id and no more', async (t) => {
  const { call, add, seen } = await classroom(t)
  const id = await add('Amina')
  for (const [method, url] of [
    ['GET', '/learners'],
    ['GET', `/learners/${id}/today`],
    ['GET', `/learners/${id}/progress`],
    ['GET', `/learners/${id}/export`],
    ['POST', '/learners'],
    ['DELETE', `/learners/${id}`],
  ] as const) {
    assert.equal((await call(method, url, undefined, 'wrong')).status, 401, `${method} ${url}`)
  }
  const told = seen.filter(({ event }) => event === 'hifz')
  assert.deepEqual(told.at(-1)?.data, { id })
  assert.ok(!JSON.stringify(seen).includes('Amina'))
})

test('bad input names the field and changes nothing', async (t) => {
  const { call, add, grade } = await classroom(t)
  const id = await add('Amina')
  const before = (await call('GET', '/learners')).body
  const plan = (more: object) => call('PUT', `/learners/${id}/plan`, { ...PLAN, ...more })
  for (const [reply, status, error] of [
    [await call('POST', '/learners', { name: '  ' }), 400, /^name: /],
    [await call('POST', '/learners', { name: 'x'.repeat(41) }), 400, /^name: /],
    [await call('POST', '/learners', { name: 'amina' }), 400, /^name: another learner/],
    [await call('POST', '/learners', { name: 'B', birthday: '2015-01-01' }), 400, /birthday/],
    [await plan({ start: { surah: 67, verse: 31 } }), 400, /^start\.verse: surah 67 has 30 verses/],
    [await plan({ amount: 0.5 }), 400, /^amount: must be a whole number/],
    [await plan({ unit: 'page', amount: 4 }), 400, /^amount: must be at most 3/],
    [await plan({ unit: 'page', amount: 0.3 }), 400, /^amount: must be in quarters/],
    [await plan({ days: 0 }), 400, /^days: /],
    [await plan({ order: 'random' }), 400, /^order: /],
    [await plan({ cycle_days: 3 }), 400, /^cycle_days: /],
    [await plan({ drill: { repeat: 0 } }), 400, /^drill\.repeat: /],
    [await plan({ drill: { link: 2 } }), 400, /^drill\.link: is for the method stack only/],
    [
      await plan({ amount: 4, replaces: null }),
      409,
      /somebody else has changed this plan meanwhile/,
    ],
    [await plan({ replaces: { ...PLAN, days: 0 } }), 400, /^replaces\./],
    [await grade(id, '114:1-7', 'good'), 400, /^to: surah 114 has 6 verses/],
    [await grade(id, '114:3-2', 'good'), 400, /^from: must not come after to/],
    [await grade(id, '114:1-2', 'great'), 400, /^grade: /],
    [await grade(id, '114:1-2', 'good', 'parent'), 400, /^by: /],
    [await grade(id, '114:1-2', 'good', 'teacher', { request: 'x' }), 400, /^request: /],
    [await grade(99, '114:1-2', 'good'), 404, /learner 99 not found/],
    [await call('GET', '/learners/x/today'), 404, /learner x not found/],
    [await call('POST', `/learners/${id}/play`, { part: 'all' }), 400, /^part: /],
  ] as const) {
    assert.equal(reply.status, status, JSON.stringify(reply.body))
    assert.match(reply.body.error, error)
  }
  assert.deepEqual((await call('GET', '/learners')).body, before)
  const unplanned = await call('POST', '/learners', { name: 'Bilal' })
  const due = await call('GET', `/learners/${unplanned.body.id}/today`)
  assert.deepEqual(
    [due.status, due.body.error],
    [409, 'this learner has no plan yet: set one first'],
  )
})

test('there are at most 200 learners', async (t) => {
  const { call, db } = await classroom(t)
  const insert = db.prepare('INSERT INTO learners (name, created_at) VALUES (?, 0)')
  for (let number = 1; number <= 200; number++) insert.run(`learner ${number}`)
  const { status, body } = await call('POST', '/learners', { name: 'one more' })
  assert.equal(status, 409)
  assert.match(body.error, /200 learners already: erase one first/)
})

test('a week of one learner: new, recent, weak and known from before', async (t) => {
  const { add, clock, grade, progress, today } = await classroom(t)
  const id = await add('Amina')
  const nextDay = () => clock.advance(86_400_000)
  assert.deepEqual((await today(id)).new, {
    ...{ surah: 114, from: 1, to: 3 },
    ...{ done: false, heard: false, grade: null },
  })
  await grade(id, '114:1-3', 'again')
  assert.equal((await today(id)).done, true)
  nextDay()
  assert.deepEqual([(await today(id)).new?.from, (await today(id)).new?.done], [1, false])
  await grade(id, '114:1-3', 'good')
  assert.deepEqual([(await today(id)).new?.to, (await today(id)).new?.done], [3, true])
  nextDay()
  const third = await today(id)
  assert.deepEqual([third.new?.from, third.recent[0]?.from], [4, 1])
  // Known from home: it is not the new portion, which stays.
  await grade(id, '112:1-4', 'good', 'learner')
  assert.equal((await today(id)).new?.from, 4)
  await grade(id, '114:4-5', 'hesitant')
  nextDay()
  assert.deepEqual((await today(id)).new, {
    ...{ surah: 114, from: 6, to: 6 },
    ...{ done: false, heard: false, grade: null },
  })
  const done = await progress(id)
  assert.deepEqual([done.verses, done.weak, done.streak], [9, 1, 3])
  assert.deepEqual(
    done.portions.map(({ surah, from, to, grade }) => `${surah}:${from}-${to} ${grade}`),
    ['112:1-4 good', '114:1-3 good', '114:4-5 hesitant'],
  )
  assert.equal(done.grades.length, 4)
})

test('export gives all that is kept; erasing takes it from the file, with the cards', async (t) => {
  const { add, call, dataDir, db, grade, post, get } = await classroom(t)
  const id = await add('Zaynab-of-the-test')
  const other = await add('Bilal')
  await grade(id, '114:1-3', 'good')
  await grade(other, '114:1-3', 'good')
  const card = { uid: '04A1B2C3', name: 'Zaynab-of-the-test', binding: { type: 'learner', id } }
  assert.equal((await post('/rfid/cards', card)).statusCode, 200)
  const kept: LearnerExport = (await call('GET', `/learners/${id}/export`)).body
  assert.deepEqual(Object.keys(kept), ['learner', 'portions', 'grades', 'days'])
  assert.deepEqual([kept.grades.length, kept.days], [1, ['2026-03-01']])

  writeFileSync(path.join(dataDir, 'player.db.damaged'), 'before a worn disk: Zaynab-of-the-test')
  assert.deepEqual((await call('DELETE', `/learners/${id}`)).body, { success: true, id })
  assert.equal((await call('GET', `/learners/${id}/progress`)).status, 404)
  for (const table of ['learner_plans', 'portions', 'gradings', 'practice_days']) {
    const rows = db.prepare(`SELECT learner FROM ${table}`).all()
    assert.deepEqual(
      rows.map((row) => row.learner),
      [other],
      table,
    )
  }
  assert.equal((await get('/rfid/cards')).statusCode, 401)
  for (const name of readdirSync(dataDir).filter((file) => file.startsWith('player.db'))) {
    assert.ok(!readFileSync(path.join(dataDir, name)).includes('Zaynab-of-the-test'), name)
  }
  const { status } = await call('POST', '/learners', { name: 'Another' })
  assert.equal(status, 200)
  assert.ok(
    (await call('GET', '/learners')).body.learners.every((one: { id: number }) => one.id !== id),
  )
})

test('a learner’s card plays today’s lesson, and three teacher’s cards grade it', async (t) => {
  const { add, audio, clock, post, progress, reader, settled, today, putVerses, wall } =
    await classroom(t)
  putVerses()
  await post('/library/rescan')
  const id = await add('Amina')
  const register = (uid: string, binding: object) =>
    post('/rfid/cards', { uid, name: uid, binding, second_tap: 'restart' })
  await register('04000001', { type: 'learner', id })
  await register('04000002', { type: 'action', action: 'grade_good' })
  await register('04000003', { type: 'action', action: 'grade_again' })
  const tap = async (uid: string) => {
    reader.put(uid)
    await settled()
    reader.lift()
    await settled()
    clock.advance(2_000)
    await settled()
  }

  await tap('04000002')
  assert.equal((await progress(id)).grades.length, 0, 'nobody has tapped yet')
  await tap('04000001')
  const begun = audio.loaded.at(-1)
  assert.match(begun?.source.kind === 'file' ? begun.source.path : '', /Husary\/114001\.wav$/)
  assert.equal((await today(id)).new?.heard, true)
  await tap('04000003')
  assert.deepEqual([(await today(id)).new?.done, (await today(id)).new?.grade], [true, 'again'])
  await tap('04000002')
  const [last] = (await progress(id)).grades
  assert.deepEqual(
    [last?.surah, last?.from, last?.to, last?.grade, last?.by],
    [114, 1, 3, 'good', 'teacher'],
  )
  clock.advance(5 * 60_000)
  wall.become(wall.now() + 20 * 86_400_000, 'sntp')
  await tap('04000003')
  assert.equal((await progress(id)).grades.length, 3, 'the clock was set while a child recited')
  clock.advance(6 * 60_000)
  await tap('04000003')
  assert.equal((await progress(id)).grades.length, 3, 'after ten minutes it is nobody’s turn')
})

test('whose turn it was before the box slept is told by the clock on the wall', async (t) => {
  const sysfs = { 'sys/power/state': 'mem', 'sys/class/rtc/rtc0/wakealarm': '' }
  const box = await classroom(t, { sysfs })
  box.putVerses()
  await box.post('/library/rescan')
  const id = await box.add('Amina')
  const binding = { type: 'action', action: 'grade_good' }
  await box.post('/rfid/cards', { uid: '04000002', name: 'good', binding, second_tap: 'restart' })
  const teacherTaps = async () => {
    box.reader.put('04000002')
    await box.settled()
    box.reader.lift()
    await box.settled()
    box.clock.advance(2_000)
    await box.settled()
    return (await box.progress(id)).grades.length
  }
  assert.equal((await box.call('POST', `/learners/${id}/play`, { part: 'new' })).status, 200)
  const stopped = box.next('playback')
  await box.post('/system/sleep')
  box.clock.advance(500)
  await stopped
  // Nothing of it on the clock of the machine, which stands still.
  box.wall.become(box.wall.now() + 5 * 60_000, 'sntp')
  assert.equal(await teacherTaps(), 1, 'a sleep of five minutes')
  box.wall.become(box.wall.now() + 9 * 3_600_000, 'sntp')
  assert.equal(await teacherTaps(), 1, 'of a night')
})

test('a card for a learner who is not there is refused', async (t) => {
  const { post } = await classroom(t)
  const binding = { type: 'learner', id: 7 }
  const reply = await post('/rfid/cards', { uid: '04A1B2C3', name: 'x', binding })
  assert.deepEqual(
    [reply.statusCode, reply.json().error],
    [400, 'binding.id: there is no learner 7'],
  )
})

test('a lesson that cannot be played says why, and the learner can still be graded', async (t) => {
  const { add, call, progress } = await classroom(t)
  const id = await add('Amina', { ...PLAN, reciter: 'Nobody' })
  const reply = await call('POST', `/learners/${id}/play`, { part: 'new' })
  assert.ok(reply.status >= 400 && reply.status < 500, JSON.stringify(reply))
  assert.match(reply.body.error, /Nobody/)
  assert.equal((await progress(id)).grades.length, 0)
  const { today } = (await call('GET', '/learners')).body.learners[0]
  assert.equal(today.new.heard, false)
})

test('while the box does not know the date nothing is graded under a wrong one', async (t) => {
  const { add, grade, call, wall } = await classroom(t)
  const id = await add('Amina')
  wall.become(0, 'none')
  const reply = await grade(id, '114:1-3', 'good')
  assert.equal(reply.status, 503)
  assert.match(reply.body.error, /does not know the date yet: set the clock/)
  assert.equal((await call('GET', '/learners')).body.learners[0].today, null)
  wall.become(Date.parse('2026-03-01T09:00:00Z'), 'manual')
  assert.equal((await grade(id, '114:1-3', 'good')).status, 200)
})

test('a lesson that a schedule plays rises at the volume of the schedule', async (t) => {
  const { add, audio, clock, post, putVerses, settled } = await classroom(t)
  putVerses()
  await post('/library/rescan')
  const target = { type: 'learner', id: await add('Amina') }
  await post('/schedules', { hour: 8, minute: 1, days: 127, target, volume: 20 })
  clock.advance(60_000)
  await settled()
  const { volume, fade_in_ms } = audio.loaded.at(-1) ?? {}
  assert.deepEqual([volume, fade_in_ms], [20, 3_000])
})

test('on a full disk a learner’s card plays the lesson all the same', async (t) => {
  const { add, audio, db, post, putVerses, reader, settled } = await classroom(t)
  putVerses()
  await post('/library/rescan')
  const binding = { type: 'learner', id: await add('Amina') }
  await post('/rfid/cards', { uid: '04000001', name: 'Amina', binding })
  db.exec('PRAGMA query_only = ON')
  reader.put('04000001')
  await settled()
  const begun = audio.loaded.at(-1)
  assert.match(begun?.source.kind === 'file' ? begun.source.path : '', /Husary\/114001\.wav$/)
})

test('the verses of the next surah are looked for before its first lesson', async (t) => {
  const { add, audio, cardDir, events, grade, post, settled } = await classroom(t)
  const hum = wavFile(8_000, 80_000, (frame) => [frame % 900, frame % 900])
  for (const surah of [113, 114]) writeFileSync(path.join(cardDir, `Husary/${surah}.wav`), hum)
  await post('/library/rescan')
  const { promise: looked, resolve } = Promise.withResolvers<void>()
  events.on('verses', ({ surah, state }) => {
    if (surah === 113 && state === 'searching') resolve()
  })
  const id = await add('Amina', { ...PLAN, amount: 6 })
  await settled()
  await grade(id, '114:1-6', 'good')
  await looked
  assert.equal(audio.loaded.length, 0, 'nobody has asked for it yet')
})
