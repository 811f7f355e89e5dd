import { isDeepStrictEqual } from 'node:util'
import { conflict, invalid, notFound } from '@manara/kit/errors'
import {
  type GradeBody,
  type Learner,
  type LearnerExport,
  MOST_LEARNERS,
  Plan,
  type Range,
} from '@manara/player-contract/learners'
import { inOneStep } from '../../db/in-one-step.ts'
import type { Db } from '../../db/open-store.ts'
import { applyGrade } from './domain/apply-grade.ts'
import type { Portion } from './domain/today.ts'

type Grading = LearnerExport['grades'][number]
export type KnownPortion = Portion & { id: number }
/** Whose lesson was begun last, for the teacher's cards. */
type Turn = Range & { learner: number; at: number }
/** `now` may jump when the clock is set; `monotonic` never does, but stands still while the box sleeps. */
type Times = { now(): number; monotonic(): number }

export type LearnerStore = ReturnType<typeof createLearnerStore>

const RANGE = 'surah, from_verse AS "from", to_verse AS "to"'

/** A nickname, a plan, portions, grades and dates: nothing else is kept, and all goes with the learner. */
export function createLearnerStore(db: Db, { now, monotonic }: Times) {
  const seconds = () => Math.floor(now() / 1000)
  const selectAll = db.prepare(
    `SELECT id, name, created_at, plan FROM learners LEFT JOIN learner_plans ON learner = id
     ORDER BY name COLLATE NOCASE, id`,
  )
  const selectOne = db.prepare(
    'SELECT id, name, created_at, plan FROM learners LEFT JOIN learner_plans ON learner = id WHERE id = ?',
  )
  const selectPlayed = db.prepare('SELECT new_played_on FROM learners WHERE id = ?')
  const insert = db.prepare('INSERT INTO learners (name, created_at) VALUES (?, ?) RETURNING id')
  const rename = db.prepare('UPDATE learners SET name = ? WHERE id = ?')
  const remove = db.prepare('DELETE FROM learners WHERE id = ?')
  const writePlan = db.prepare('INSERT OR REPLACE INTO learner_plans (learner, plan) VALUES (?, ?)')
  const selectPortions = db.prepare(
    `SELECT id, ${RANGE}, learnt_on, planned, grade, graded_on, heard_on, heard_before
     FROM portions WHERE learner = ? ORDER BY surah, from_verse`,
  )
  const insertPortion = db.prepare(
    `INSERT INTO portions
       (learner, surah, from_verse, to_verse, learnt_on, planned, grade, graded_on, heard_on)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const gradePortion = db.prepare('UPDATE portions SET grade = ?, graded_on = ? WHERE id = ?')
  const hearPortion = db.prepare(
    'UPDATE portions SET heard_before = heard_on, heard_on = ? WHERE id = ? AND heard_on <> ?',
  )
  const hearNew = db.prepare('UPDATE learners SET new_played_on = ? WHERE id = ?')
  const insertGrading = db.prepare(
    `INSERT INTO gradings (learner, surah, from_verse, to_verse, grade, by_whom, at, date, request)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const selectRequest = db.prepare('SELECT 1 FROM gradings WHERE learner = ? AND request = ?')
  const selectGradings = db.prepare(
    `SELECT ${RANGE}, grade, by_whom AS "by", at, date FROM gradings
     WHERE learner = ? ORDER BY id DESC LIMIT ?`,
  )
  const insertDay = db.prepare('INSERT OR IGNORE INTO practice_days (learner, date) VALUES (?, ?)')
  const selectDays = db.prepare('SELECT date FROM practice_days WHERE learner = ? ORDER BY date')
  const writeTurn = db.prepare(
    `INSERT OR REPLACE INTO learner_turn (id, learner, surah, from_verse, to_verse, at)
     VALUES (1, ?, ?, ?, ?, ?)`,
  )
  const selectTurn = db.prepare(`SELECT learner, ${RANGE}, at FROM learner_turn`)
  let turn = selectTurn.get() as Turn | undefined
  /** In this life; undefined after a restart and after a sleep. */
  let turnSince: number | undefined

  function get(id: number): Learner {
    const row = selectOne.get(id)
    if (!row) throw notFound('learner', id)
    return fromRow(row as Row)
  }

  function checkName(name: string, own?: number) {
    const others = (selectAll.all() as Row[]).filter(({ id }) => id !== own)
    const isTaken = others.some((other) => isSameName(other.name, name))
    if (isTaken) throw invalid('name', 'another learner has this name')
  }

  const portions = (id: number) =>
    (selectPortions.all(id) as (Omit<KnownPortion, 'planned'> & { planned: number })[]).map(
      (row): KnownPortion => ({ ...row, planned: row.planned === 1 }),
    )

  return {
    all: () => (selectAll.all() as Row[]).map(fromRow),
    get,
    portions,
    /** The latest first. */
    gradings: (id: number, most = -1) => selectGradings.all(id, most) as Grading[],
    days: (id: number) => (selectDays.all(id) as { date: string }[]).map(({ date }) => date),
    newPlayedOn: (id: number) =>
      (selectPlayed.get(id) as { new_played_on: string } | undefined)?.new_played_on ?? '',

    add(name: string): Learner {
      return inOneStep(db, () => {
        checkName(name)
        if (selectAll.all().length >= MOST_LEARNERS) {
          throw conflict(`there are ${MOST_LEARNERS} learners already: erase one first`)
        }
        const { id } = insert.get(name, seconds()) as { id: number }
        return get(id)
      })
    },

    rename(id: number, name: string): Learner {
      get(id)
      checkName(name, id)
      rename.run(name, id)
      return get(id)
    },

    /** Where `seen` is given, in place of that plan and no other; sent again, it is in force already. */
    setPlan(id: number, plan: Plan, seen?: Plan | null): Learner {
      const { plan: current } = get(id)
      const isSeen = seen === undefined || isDeepStrictEqual(current, seen)
      if (!isSeen && !isDeepStrictEqual(current, plan)) {
        throw conflict('somebody else has changed this plan meanwhile: look at it and save again')
      }
      writePlan.run(id, JSON.stringify(plan))
      return get(id)
    },

    /** The grade, what it teaches, and the day, all at once or not at all. */
    grade(id: number, body: GradeBody, day: { date: string; planned: Range | undefined }) {
      const { surah, from, to, grade, by, request = null } = body
      const { date, planned } = day
      inOneStep(db, () => {
        // Its answer was lost on the way, and it was sent again.
        if (selectRequest.get(id, request)) return
        const { graded, learnt } = applyGrade(portions(id), body, grade)
        insertGrading.run(id, surah, from, to, grade, by, seconds(), date, request)
        for (const portion of graded) {
          gradePortion.run(grade, date, portion.id)
          hearPortion.run(date, portion.id, date)
        }
        for (const range of learnt) {
          const isPlanned = planned?.surah === range.surah && planned.from === range.from
          const row = [range.surah, range.from, range.to, date, Number(isPlanned)] as const
          insertPortion.run(id, ...row, grade, date, date)
        }
        insertDay.run(id, date)
      })
    },

    /** A lesson has been played: the portions it is made of were heard today. */
    heard(id: number, heard: Range, isNew: boolean, date: string) {
      inOneStep(db, () => {
        const { graded } = applyGrade(portions(id), heard, 'again')
        for (const portion of graded) hearPortion.run(date, portion.id, date)
        if (isNew) hearNew.run(date, id)
        insertDay.run(id, date)
      })
    },

    turn: () => turn,
    /** How long ago it was taken, also where the clock was set since; negative where nobody knows. */
    turnAge: () =>
      turnSince === undefined ? now() - (turn?.at ?? now()) : monotonic() - turnSince,
    /** From then on the clock on the wall tells how long ago it was. */
    beforeSleep() {
      turnSince = undefined
    },
    /** Holds also where the disk is full: otherwise whoever had the turn before would be graded. */
    takeTurn(learner: number, { surah, from, to }: Range) {
      turn = { learner, surah, from, to, at: now() }
      turnSince = monotonic()
      writeTurn.run(learner, surah, from, to, turn.at)
    },

    /** Erased from the file as well, and not only from its tables. `also` is part of the same step. */
    erase(id: number, also: () => void) {
      get(id)
      db.exec('PRAGMA secure_delete = ON')
      inOneStep(db, () => {
        also()
        remove.run(id)
      })
      if (turn?.learner === id) turn = undefined
      db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA secure_delete = OFF')
    },
  }
}

/** To whoever reads them: capitals of any script, and letters with their accents apart, are no other name. */
const isSameName = (one: string, other: string) => asRead(one) === asRead(other)

const asRead = (name: string) => name.normalize('NFC').toLowerCase()

type Row = Omit<Learner, 'plan'> & { plan: string | null }

const fromRow = ({ plan, ...row }: Row): Learner => ({
  ...row,
  // A later version may have kept what this one has no word for.
  plan: plan === null ? null : (Plan.safeParse(JSON.parse(plan)).data ?? null),
})
