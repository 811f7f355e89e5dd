import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { openStore } from '../../db/open-store.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createManualWallClock } from '../../testing/manual-wall-clock.ts'
import type { Occasion } from './domain/due.ts'
import { createFiredStore } from './fired.store.ts'
import { type Agenda, createTimekeeper } from './timekeeper.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const START = Date.parse('2026-01-01T00:00:00Z')
const dateOf = (epochMs: number) => new Date(epochMs).toISOString().slice(0, 10)

/** Something at noon of every day, and what became of it. */
function timekeeperFixture(t: TestContext, agenda: Partial<Agenda> = {}, before: Agenda[] = []) {
  const dir = mkdtempSync(path.join(tmpdir(), 'player-'))
  const db = openStore(dir)
  t.after(() => {
    db.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const clock = createManualClock(START)
  const wall = createManualWallClock(clock)
  const happened: string[] = []
  const missed: string[] = []
  const sounding = { adhan: false }
  const noon: Agenda = {
    occasions(from, until) {
      const days = Math.ceil((until - from) / DAY) + 2
      return Array.from({ length: days }, (_, day): Occasion => {
        const at = Math.floor(from / DAY) * DAY + (day - 0.5) * DAY
        return { key: 'noon', date: dateOf(at), at, late_ms: 0, same_ms: MINUTE }
      }).filter(({ at }) => at > from && at <= until)
    },
    async due(occasions) {
      happened.push(...occasions.map(({ date }) => date))
    },
    missed(occasions) {
      missed.push(...occasions.map(({ date }) => date))
    },
    isOnce: true,
    waitsForAdhan: true,
    isOneByOne: false,
    ...agenda,
  }
  const errors: unknown[] = []
  const problems: (string | undefined)[] = []
  const log = { error: (error: unknown) => errors.push(error) }
  const trouble = { log, reportProblem: (problem?: string) => problems.push(problem) }
  const timekeeper = createTimekeeper({
    clock,
    wall,
    fired: createFiredStore(db, trouble),
    log,
    agendas: [...before, noon],
    dateOf,
    isAdhanSounding: () => sounding.adhan,
  })
  return {
    ...{ clock, db, errors, happened, missed, problems, sounding, timekeeper, trouble, wall },
    async advance(ms: number) {
      clock.advance(ms)
      await timekeeper.settled()
    },
  }
}

test('happens at its moment, once a day', async (t) => {
  const { advance, happened, timekeeper } = timekeeperFixture(t)
  timekeeper.start()
  await advance(DAY / 2 - 1)
  assert.deepEqual(happened, [])
  await advance(1)
  assert.deepEqual(happened, ['2026-01-01'])
  await advance(2 * DAY)
  assert.deepEqual(happened, ['2026-01-01', '2026-01-02', '2026-01-03'])
})

test('an adhan does not wait for a schedule that does not come to its end', async (t) => {
  const atOnce = Promise.withResolvers<void>()
  const stuck = Promise.withResolvers<void>()
  const adhan: Agenda = {
    occasions: () => [
      {
        key: 'adhan',
        date: '2026-01-01',
        at: START + DAY / 2 + MINUTE,
        late_ms: 0,
        same_ms: MINUTE,
      },
    ],
    due: async () => atOnce.resolve(),
    missed() {},
    isOnce: true,
    waitsForAdhan: false,
    isOneByOne: false,
  }
  const schedule = { due: () => stuck.promise }
  const { clock, timekeeper } = timekeeperFixture(t, schedule, [adhan])
  timekeeper.start()
  clock.advance(DAY / 2)
  clock.advance(MINUTE)
  await atOnce.promise
  stuck.resolve()
  await timekeeper.settled()
})

test('what is due with an adhan begins when that has', async (t) => {
  const story: string[] = []
  const adhan: Agenda = {
    occasions: () => [
      { key: 'adhan', date: '2026-01-01', at: START + DAY / 2, late_ms: 0, same_ms: MINUTE },
    ],
    async due() {
      await new Promise(setImmediate)
      story.push('adhan')
    },
    missed() {},
    isOnce: true,
    waitsForAdhan: false,
    isOneByOne: false,
  }
  const schedule = { due: async () => void story.push('schedule') }
  const { advance, timekeeper } = timekeeperFixture(t, schedule, [adhan])
  timekeeper.start()
  await advance(DAY / 2)
  assert.deepEqual(story, ['adhan', 'schedule'])
})

test('the box has to be awake at the next that has not happened yet', async (t) => {
  const { advance, timekeeper, wall } = timekeeperFixture(t)
  timekeeper.start()
  assert.equal(timekeeper.nextWake(), START + DAY / 2)
  await advance(DAY / 2)
  wall.become(START, 'sntp')
  assert.equal(timekeeper.nextWake(), START + 1.5 * DAY, 'today it has happened')
  wall.become(START, 'none')
  assert.equal(timekeeper.nextWake(), undefined, 'without the time nobody knows')
})

test('a jump of the clock that nobody reports is noticed within half a minute', async (t) => {
  let offset = 0
  const { clock, happened, timekeeper, wall } = timekeeperFixture(t)
  const silent = { ...wall, now: () => clock.now() + offset }
  Object.assign(wall, silent)
  timekeeper.start()
  clock.advance(10_000)
  offset = DAY / 2 - 20_000
  clock.advance(30_000)
  await timekeeper.settled()
  assert.deepEqual(happened, ['2026-01-01'])
})

test('plans that are made anew at the same moment do not make it happen twice', async (t) => {
  const { clock, happened, timekeeper } = timekeeperFixture(t)
  timekeeper.start()
  clock.advance(DAY / 2)
  timekeeper.replan()
  timekeeper.replan()
  await timekeeper.settled()
  assert.deepEqual(happened, ['2026-01-01'])
})

test('what waits for the adhan is neither forgotten nor begun twice', async (t) => {
  const { advance, happened, missed, sounding, timekeeper } = timekeeperFixture(t)
  timekeeper.start()
  sounding.adhan = true
  await advance(DAY / 2)
  timekeeper.replan()
  await advance(4 * MINUTE)
  assert.deepEqual(happened, [])
  sounding.adhan = false
  timekeeper.adhanOver()
  await timekeeper.settled()
  assert.deepEqual([happened, missed], [['2026-01-01'], ['2025-12-31']])
})

test('one that fails is logged and stops nothing', async (t) => {
  const { advance, errors, timekeeper } = timekeeperFixture(t, {
    due: async () => {
      throw new Error('no')
    },
  })
  timekeeper.start()
  await advance(DAY / 2)
  await advance(DAY)
  assert.equal(errors.length, 2)
})

/** From now on every write fails, as on a full disk. */
const fill = (db: DatabaseSync) => db.exec('PRAGMA query_only = ON')
const makeRoom = (db: DatabaseSync) => db.exec('PRAGMA query_only = OFF')

test('on a full disk it happens all the same, once, and the owner is told until there is room', async (t) => {
  const { advance, db, errors, happened, problems, timekeeper, wall } = timekeeperFixture(t)
  timekeeper.start()
  fill(db)
  await advance(DAY / 2)
  assert.deepEqual(happened, ['2026-01-01'])
  assert.match(problems.at(-1) ?? '', /cannot write down/)
  assert.equal(errors.length, 1)
  wall.become(START + DAY / 2 - MINUTE, 'sntp')
  await advance(2 * MINUTE)
  assert.deepEqual(happened, ['2026-01-01'], 'a clock that is set back repeats nothing')
  makeRoom(db)
  await advance(DAY)
  assert.deepEqual(happened, ['2026-01-01', '2026-01-02'])
  assert.equal(problems.at(-1), undefined)
})

test('what a wrong clock did is forgotten on a full disk too, and the ticker goes on', async (t) => {
  const { advance, db, happened, timekeeper, wall } = timekeeperFixture(t)
  timekeeper.start()
  await advance(2.5 * DAY)
  assert.deepEqual(happened.splice(0), ['2026-01-01', '2026-01-02', '2026-01-03'])
  fill(db)
  wall.become(START, 'sntp')
  await advance(1.5 * DAY)
  assert.deepEqual(happened, ['2026-01-02'])
})

test('an agenda that fails leaves the others and the ticker as they are', async (t) => {
  let isBroken = true
  const { advance, errors, happened, timekeeper } = timekeeperFixture(t, {
    missed() {
      if (isBroken) throw new Error('database or disk is full')
    },
  })
  timekeeper.start()
  assert.equal(errors.length, 1)
  isBroken = false
  await advance(DAY / 2)
  assert.deepEqual(happened, ['2026-01-01'])
})

test('after stop nothing happens any more', async (t) => {
  const { advance, happened, timekeeper, wall } = timekeeperFixture(t)
  timekeeper.start()
  await timekeeper.stop()
  await advance(2 * DAY)
  wall.become(START + 2.5 * DAY, 'sntp')
  await timekeeper.settled()
  assert.deepEqual(happened, [])
})

test('the record of what happened does not grow for ever, and a wrong clock does not empty it', (t) => {
  const { db, trouble } = timekeeperFixture(t)
  const fired = createFiredStore(db, trouble)
  db.exec('BEGIN')
  for (let day = 0; day < 1_200; day += 1) {
    fired.mark({ key: 'noon', date: dateOf(START + day * DAY), at: START + day * DAY })
  }
  db.exec('COMMIT')
  createFiredStore(db, trouble)
  const { count } = db.prepare('SELECT count(*) AS count FROM fired').get() as { count: number }
  assert.equal(count, 1_000)
})
