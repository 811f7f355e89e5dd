import { conflict, unavailable } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import type { Grade } from '@manara/player-contract/grades'
import type {
  Drill,
  GradeBody,
  Learner,
  LearnerExport,
  Plan,
  PlanBody,
  PlayLessonBody,
  Progress,
  Range,
  Today,
} from '@manara/player-contract/learners'
import { type Lesson, lessonOf, nextLesson } from './domain/next-lesson.ts'
import { learntVerses, nextPortion, pagesOf } from './domain/next-portion.ts'
import { streakOf } from './domain/streak.ts'
import { isWeak, type Portion, todayOf } from './domain/today.ts'
import type { LearnerStore } from './learners.store.ts'

export type LessonDeps = {
  store: LearnerStore
  /** The local date `YYYY-MM-DD`; undefined while the box does not know it. */
  date(): string | undefined
  /** Rejects with what a person can be told. */
  playVerses(reciter: string, verses: Range, drill: Drill, entrance?: Entrance): Promise<unknown>
  /** What will be played soon: its verses may have to be found first. */
  prepare(reciter: string, surah: number): void
  onChange(id: number): void
  log: Pick<Logger, 'warn'>
}

/** The volume that a schedule asks for, and whether it rises to it. */
type Entrance = { volume?: number; softly?: boolean }

export type Lessons = ReturnType<typeof createLessons>

const RECENT_DAYS = 7
const CYCLE_DAYS = 30
/** A teacher's card grades whoever tapped within this time. */
const TURN_MS = 10 * 60_000
const SHOWN_GRADES = 200
/** What is known already is heard once, with the learner's turn after each verse. */
const REVISION: Drill = { method: 'each', repeat: 1, passes: 1 }

/** What each learner has to do today, and what becomes of it. */
export function createLessons(deps: LessonDeps) {
  const { store } = deps

  function dateOf(): string {
    const date = deps.date()
    if (date === undefined) {
      throw unavailable('the box does not know the date yet: set the clock in the settings')
    }
    return date
  }

  function planOf({ plan }: Learner): Plan {
    if (!plan) throw conflict('this learner has no plan yet: set one first')
    return plan
  }

  /** A school asks for all of its learners after every grade: a hundred of them are a second's work. */
  const worked = new Map<number, Today>()

  function todayFor(learner: Learner, date: string): Today {
    const { id } = learner
    const known = worked.get(id)
    if (known?.date === date) return known
    const due = todayOf(planOf(learner), store.portions(id), date, {
      gradings: store.gradings(id, 50),
      new_played_on: store.newPlayedOn(id),
    })
    worked.set(id, due)
    return due
  }

  function changed(id: number) {
    worked.delete(id)
    deps.onChange(id)
  }

  const today = (id: number) => todayFor(store.get(id), dateOf())

  /** A full disk keeps nobody from learning. */
  function note(change: () => void) {
    try {
      change()
    } catch (error) {
      deps.log.warn({ err: error }, 'that a lesson was played could not be kept')
    }
  }

  /** What is new next may be in a surah whose verses nobody has looked for yet. */
  function prepareNext({ id, plan }: Learner) {
    const next = plan && nextPortion(plan, store.portions(id))
    if (next) deps.prepare(plan.reciter, next.surah)
  }

  async function play(
    id: number,
    choose: (today: Today) => Lesson | undefined,
    entrance?: Entrance,
  ): Promise<Lesson> {
    const learner = store.get(id)
    const plan = planOf(learner)
    const date = dateOf()
    const lesson = choose(todayFor(learner, date))
    if (!lesson) throw conflict('nothing is left to hear today')
    // Before it sounds: also a recording that is missing leaves the learner to be graded.
    note(() => store.takeTurn(id, lesson))
    const drill = lesson.part === 'new' ? plan.drill : revisionOf(plan.drill)
    await deps.playVerses(plan.reciter, lesson, drill, entrance)
    note(() => store.heard(id, lesson, lesson.part === 'new', date))
    worked.delete(id)
    const next = nextLesson(todayFor(learner, date))
    if (next) deps.prepare(plan.reciter, next.surah)
    deps.onChange(id)
    return lesson
  }

  function grade(id: number, body: GradeBody) {
    const learner = store.get(id)
    const date = dateOf()
    const planned = learner.plan ? nextPortion(learner.plan, store.portions(id)) : undefined
    store.grade(id, body, { date, planned })
    prepareNext(learner)
    changed(id)
  }

  return {
    today,

    all: () => {
      const date = deps.date()
      return store.all().map((learner) => ({
        ...learner,
        today: learner.plan && date !== undefined ? todayFor(learner, date) : null,
      }))
    },

    setPlan(id: number, body: PlanBody): Learner {
      const { replaces, drill = {}, ...rest } = body
      const { recent_days = RECENT_DAYS, cycle_days = CYCLE_DAYS } = rest
      const learner = store.setPlan(id, { ...rest, recent_days, cycle_days, drill }, replaces)
      prepareNext(learner)
      changed(id)
      return learner
    },

    play: (id: number, wish: PlayLessonBody) => play(id, (due) => lessonOf(due, wish)),
    /** What a tap of the learner's card plays. */
    playNext: (id: number, entrance?: Entrance) => play(id, nextLesson, entrance),
    grade,

    /** What a teacher's card does: whoever tapped last, for what was played then. */
    gradeLast(given: Grade) {
      const turn = store.turn()
      const age_ms = store.turnAge()
      if (!turn || age_ms > TURN_MS || age_ms < 0) {
        throw conflict('no learner has tapped in the last ten minutes')
      }
      const { learner, surah, from, to } = turn
      grade(learner, { surah, from, to, grade: given, by: 'teacher' })
    },

    progress(id: number): Progress {
      const { plan } = store.get(id)
      const portions = store.portions(id)
      const verses = learntVerses(portions)
      const date = deps.date()
      const days = new Set(store.days(id))
      return {
        verses: verses.size,
        pages: pagesOf(verses),
        weak: portions.filter(isWeak).length,
        streak: plan && date !== undefined ? streakOf(plan, days, date) : 0,
        portions: portions.map(shown),
        grades: store.gradings(id, SHOWN_GRADES),
      }
    },

    exportAll: (id: number): LearnerExport => ({
      learner: store.get(id),
      portions: store.portions(id).map(shown),
      grades: store.gradings(id).toReversed(),
      days: store.days(id),
    }),
  }
}

const revisionOf = ({ gap_percent, unsure }: Drill): Drill => ({
  ...REVISION,
  ...(gap_percent === undefined ? {} : { gap_percent }),
  ...(unsure === undefined ? {} : { unsure }),
})

const shown = (portion: Portion): Progress['portions'][number] => {
  const { surah, from, to, learnt_on, grade, graded_on } = portion
  return { surah, from, to, learnt_on, grade, graded_on, weak: isWeak(portion) }
}
