import type { Grade } from '@manara/player-contract/grades'
import type { Plan, PortionToday, Range, Today } from '@manara/player-contract/learners'
import { nextPortion } from './next-portion.ts'

/** A part of the Quran that a learner knows, and how well. Dates are `YYYY-MM-DD`. */
export type Portion = Range & {
  learnt_on: string
  /** It was the new portion of a day, and not known before. */
  planned: boolean
  grade: Grade
  graded_on: string
  /** Graded or played. */
  heard_on: string
  /** The day before that on which it was heard. */
  heard_before: string
}

/** What is known about verses that are not learnt yet. */
export type Latest = {
  /** The last grades, the latest first. */
  gradings: readonly (Range & { grade: Grade; date: string })[]
  /** The day on which the new portion was last played. */
  new_played_on: string
}

const DAY_MS = 86_400_000
const WEAK_LIMIT = 3

export const isWeak = ({ grade }: Pick<Portion, 'grade'>) => grade !== 'good'

/** What is due on a day: something new, what was learnt lately, and a share of what is older. */
export function todayOf(
  plan: Plan,
  known: readonly Portion[],
  date: string,
  latest: Latest = { gradings: [], new_played_on: '' },
): Today {
  const portions = known.map((portion) => withoutFuture(portion, date))
  if (!isPlanDay(plan, date)) {
    return { date, day_off: true, new: null, note: '', recent: [], old: [], done: true }
  }
  const learntToday = portions.filter(({ learnt_on, planned }) => learnt_on === date && planned)
  const before = portions.filter((portion) => !learntToday.includes(portion))
  const recent = before.filter((portion) => isRecent(plan, portion, date))
  const old = oldToday(
    plan,
    before.filter((portion) => !recent.includes(portion)),
    date,
  )
  const { fresh, note } = newToday(plan, { portions, recent, learntToday, latest }, date)
  const shown = {
    date,
    day_off: false,
    new: fresh,
    note,
    recent: recent.sort(byPlace).map((portion) => shownOn(date, portion)),
    old: old.map((portion) => shownOn(date, portion)),
  }
  const all = [...(shown.new ? [shown.new] : []), ...shown.recent, ...shown.old]
  return { ...shown, done: all.every(({ done }) => done) }
}

export const isPlanDay = ({ days }: Pick<Plan, 'days'>, date: string) =>
  ((days >> new Date(`${date}T00:00:00Z`).getUTCDay()) & 1) === 1

export const dayBefore = (date: string, days = 1) =>
  new Date(Date.parse(`${date}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10)

/** A day that is far from here was written by a clock that was wrong: nobody knows when it was. */
function withoutFuture(portion: Portion, date: string): Portion {
  const tomorrow = dayBefore(date, -1)
  const past = (day: string) => (day > tomorrow ? '' : day)
  const { learnt_on, graded_on, heard_on, heard_before } = portion
  return {
    ...portion,
    learnt_on: past(learnt_on),
    graded_on: past(graded_on),
    heard_on: past(heard_on),
    heard_before: past(heard_before),
  }
}

function newToday(
  plan: Plan,
  {
    portions,
    recent,
    learntToday,
    latest,
  }: Record<'portions' | 'recent' | 'learntToday', readonly Portion[]> & { latest: Latest },
  date: string,
): { fresh: PortionToday | null; note: string } {
  const last = learntToday.at(-1)
  if (last) return { fresh: shownOn(date, last), note: '' }
  const weak = recent.filter(isWeak).length
  if (weak >= WEAK_LIMIT) {
    return { fresh: null, note: `nothing new while ${weak} of the recent portions are weak` }
  }
  const next = nextPortion(plan, portions)
  if (!next) return { fresh: null, note: 'everything in this plan is learnt' }
  // Not learnt yet, so its last grade was again.
  const again = latest.gradings.find(
    ({ surah, from, to }) => surah === next.surah && from <= next.to && to >= next.from,
  )
  const done = again?.date === date
  const heard = done || latest.new_played_on === date
  return { fresh: { ...next, done, heard, grade: again?.grade ?? null }, note: '' }
}

// What went wrong today stays for today where it was.
const isRecent = ({ recent_days }: Plan, portion: Portion, date: string) =>
  portion.learnt_on >= dayBefore(date, recent_days) ||
  (portion.grade === 'again' && portion.graded_on < date)

/**
 * So many of the longest unheard that all come once within the cycle, as it was when the day began;
 * and as many weak ones besides. The weak come first.
 */
function oldToday(plan: Plan, old: readonly Portion[], date: string): Portion[] {
  const lastHeard = ({ heard_on, heard_before }: Portion) =>
    heard_on === date ? heard_before : heard_on
  const byAge = (a: Portion, b: Portion) =>
    lastHeard(a).localeCompare(lastHeard(b)) || byPlace(a, b)
  const sorted = [...old].sort(byAge)
  const share = Math.ceil(sorted.length / leastDaysIn(plan))
  const due = sorted.slice(0, share)
  const rest = sorted.slice(share)
  const heard = rest.filter(({ heard_on }) => heard_on === date)
  const weak = rest.filter((portion) => isWeak(portion) && !heard.includes(portion))
  const besides = [...heard, ...weak.slice(0, Math.max(0, share - heard.length))]
  return [...due, ...besides].sort((a, b) => Number(isWeak(b)) - Number(isWeak(a)) || byAge(a, b))
}

/** How many days of the plan a cycle has at least, on whichever day of the week it begins. */
function leastDaysIn({ days, cycle_days }: Plan): number {
  const counts = Array.from({ length: 7 }, (_, first) => {
    let count = 0
    for (let day = 0; day < cycle_days; day++) count += (days >> ((first + day) % 7)) & 1
    return count
  })
  return Math.max(1, Math.min(...counts))
}

const byPlace = (a: Range, b: Range) => a.surah - b.surah || a.from - b.from

const shownOn = (
  date: string,
  { surah, from, to, grade, graded_on, heard_on }: Portion,
): PortionToday => ({
  surah,
  from,
  to,
  done: graded_on === date,
  heard: heard_on === date,
  grade,
})
