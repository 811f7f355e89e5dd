import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Plan, Range } from '@manara/player-contract/learners'
import { VERSE_TOTAL } from '@manara/player-contract/quran-pages'
import { learningOrder } from './learning-order.ts'
import { lessonOf, nextLesson } from './next-lesson.ts'
import { nextPortion, pagesOf } from './next-portion.ts'
import { streakOf } from './streak.ts'
import { type Portion, todayOf } from './today.ts'

const EVERY_DAY = 0b111_1111
const plan: Plan = {
  order: 'backward',
  start: { surah: 114, verse: 1 },
  unit: 'verse',
  amount: 3,
  days: EVERY_DAY,
  recent_days: 7,
  cycle_days: 30,
  reciter: 'Husary',
  drill: {},
}
// A Sunday.
const DATE = '2026-03-01'

const portion = (
  surah: number,
  from: number,
  to: number,
  more: Partial<Portion> = {},
): Portion => ({
  surah,
  from,
  to,
  learnt_on: '2026-01-01',
  planned: true,
  grade: 'good',
  graded_on: '2026-01-01',
  heard_on: '2026-01-01',
  heard_before: '',
  ...more,
})

test('what was learnt while the clock was years ahead is neither new for years nor never heard again', () => {
  const ahead = { learnt_on: '2031-03-01', graded_on: '2031-03-01', heard_on: '2031-03-01' }
  const many = Array.from({ length: 60 }, (_, index) => portion(2, index + 1, index + 1))
  const { recent, old } = todayOf(plan, [...many, portion(3, 1, 9, ahead)], DATE)
  assert.deepEqual(recent, [])
  assert.deepEqual([old[0]?.surah, old[0]?.heard], [3, false])
})

for (const order of ['forward', 'backward', 'ottoman'] as const)
  test(`the order ${order} comes to every verse once`, () => {
    const start = order === 'backward' ? { surah: 114, verse: 1 } : { surah: 1, verse: 1 }
    const stretches = learningOrder({ order, start: order === 'ottoman' ? LAST_OF_JUZ_1 : start })
    const verses = stretches.flatMap(({ first, end }) =>
      Array.from({ length: end - first }, (_, index) => first + index),
    )
    assert.equal(new Set(verses).size, verses.length)
    assert.equal(verses.length, VERSE_TOTAL)
  })

// Page 21, the last of the first juz, begins with 2:135.
const LAST_OF_JUZ_1 = { surah: 2, verse: 135 }

/** The portions of the first days, if each is learnt. */
function firstDays(of: Partial<Plan>, count: number): string[] {
  const learnt: Range[] = []
  for (let day = 0; day < count; day++) {
    const next = nextPortion({ ...plan, ...of }, learnt)
    if (next) learnt.push(next)
  }
  return learnt.map(({ surah, from, to }) => `${surah}:${from}-${to}`)
}

const PLANS: [what: string, plan: Partial<Plan>, days: string[]][] = [
  ['backward by verses', {}, ['114:1-3', '114:4-6', '113:1-3', '113:4-5', '112:1-3']],
  [
    'forward by verses',
    { order: 'forward', start: { surah: 1, verse: 6 }, amount: 5 },
    ['1:6-7', '2:1-5', '2:6-10'],
  ],
  [
    'forward by pages',
    { order: 'forward', start: { surah: 2, verse: 1 }, unit: 'page', amount: 1 },
    ['2:1-5', '2:6-16', '2:17-24'],
  ],
  [
    'half pages end with the page',
    { order: 'forward', start: { surah: 2, verse: 6 }, unit: 'page', amount: 0.5 },
    ['2:6-11', '2:12-16', '2:17-20', '2:21-24'],
  ],
  [
    'the last pages of the juz',
    { order: 'ottoman', start: LAST_OF_JUZ_1, unit: 'page', amount: 1 },
    ['2:135-141', '2:249-252', '3:84-91'],
  ],
]
for (const [what, of, days] of PLANS)
  test(`new portions: ${what}`, () => {
    assert.deepEqual(firstDays(of, days.length), days)
  })

test('what is known already is not new, and a plan comes to its end', () => {
  assert.deepEqual(nextPortion(plan, [portion(114, 2, 6)]), { surah: 114, from: 1, to: 1 })
  const last: Plan = { ...plan, order: 'forward', start: { surah: 114, verse: 1 }, amount: 20 }
  assert.equal(nextPortion(last, [portion(114, 1, 6)]), undefined)
  assert.equal(todayOf(last, [portion(114, 1, 6)], DATE).note, 'everything in this plan is learnt')
})

test('a day that is free by the plan has nothing due', () => {
  const today = todayOf({ ...plan, days: EVERY_DAY - 1 }, [portion(114, 1, 3)], DATE)
  assert.deepEqual(
    [today.day_off, today.new, today.recent, today.old, today.done],
    [true, null, [], [], true],
  )
})

test('recent is what was learnt in the last days, and what went wrong at last', () => {
  const today = todayOf(
    plan,
    [
      portion(114, 1, 3, { learnt_on: '2026-02-22' }),
      portion(114, 4, 6, { learnt_on: '2026-02-21' }),
      portion(113, 1, 3, { grade: 'again' }),
    ],
    DATE,
  )
  assert.deepEqual(
    today.recent.map(({ surah, from }) => `${surah}:${from}`),
    ['113:1', '114:1'],
  )
  assert.deepEqual(
    today.old.map(({ surah, from }) => `${surah}:${from}`),
    ['114:4'],
  )
})

test('nothing new while three recent portions are weak', () => {
  const weak = [1, 2, 3].map((verse) => portion(112, verse, verse, { grade: 'again' }))
  assert.equal(todayOf(plan, weak.slice(1), DATE).new?.surah, 114)
  const today = todayOf(plan, weak, DATE)
  assert.equal(today.new, null)
  assert.match(today.note, /3 of the recent portions are weak/)
})

test('the new portion is done when it was graded; graded again it comes again', () => {
  const learnt = portion(114, 1, 3, { learnt_on: DATE, graded_on: DATE, heard_on: DATE })
  assert.deepEqual(todayOf(plan, [learnt], DATE).new, {
    surah: 114,
    from: 1,
    to: 3,
    done: true,
    heard: true,
    grade: 'good',
  })
  const again = { surah: 114, from: 1, to: 3, grade: 'again' as const, date: DATE }
  const latest = { gradings: [again], new_played_on: DATE }
  assert.deepEqual(todayOf(plan, [], DATE, latest).new, {
    ...{ surah: 114, from: 1, to: 3 },
    ...{ done: true, heard: true, grade: 'again' },
  })
  assert.equal(todayOf(plan, [], '2026-03-02', latest).new?.done, false)
})

test('within the cycle everything old comes once, also with free days, the weak first', () => {
  for (const days of [EVERY_DAY, 0b001_1111]) {
    const of = { ...plan, days, cycle_days: 10 }
    let known = Array.from({ length: 33 }, (_, index) =>
      portion(2, index + 1, index + 1, index === 20 ? { grade: 'hesitant' } : {}),
    )
    const heard = new Map<number, number>()
    for (let day = 1; day <= 10; day++) {
      const date = `2026-03-${String(day).padStart(2, '0')}`
      const { old } = todayOf(of, known, date)
      if (day === 1) assert.equal(old[0]?.from, 21, 'the weak one is the first')
      for (const { from } of old) {
        heard.set(from, (heard.get(from) ?? 0) + 1)
        known = known.map((one) =>
          one.from === from ? { ...one, heard_before: one.heard_on, heard_on: date } : one,
        )
      }
      assert.deepEqual(
        todayOf(of, known, date)
          .old.map(({ from }) => from)
          .sort(),
        old.map(({ from }) => from).sort(),
        'what was heard stays on the list of the day, and nothing joins it',
      )
    }
    assert.equal(heard.size, 33)
  }
})

test('a tap plays the new, then the recent, then the old, and the new again until it is graded', () => {
  const today = todayOf(
    plan,
    [portion(112, 1, 4), portion(113, 1, 5, { learnt_on: '2026-02-27' })],
    DATE,
  )
  assert.deepEqual(nextLesson(today), { part: 'new', surah: 114, from: 1, to: 3 })
  const heard = <P extends object>(one: P) => ({ ...one, heard: true })
  const later = { ...today, new: today.new && heard(today.new) }
  assert.equal(nextLesson(later)?.part, 'recent')
  const evening = { ...later, recent: later.recent.map(heard) }
  assert.equal(nextLesson(evening)?.part, 'old')
  const night = { ...evening, old: evening.old.map(heard) }
  assert.equal(nextLesson(night)?.part, 'new')
  assert.equal(nextLesson({ ...night, new: night.new && { ...night.new, done: true } }), undefined)
  assert.equal(lessonOf(night, { part: 'old' })?.surah, 112)
  assert.equal(lessonOf(night, { part: 'recent', surah: 113, from: 1 })?.surah, 113)
  assert.equal(lessonOf(night, { part: 'recent', surah: 112, from: 1 }), undefined)
  assert.equal(lessonOf({ ...night, old: [] }, { part: 'old' }), undefined)
})

test('a streak counts days of the plan only, and today is not missed yet', () => {
  const weekdays = { days: 0b001_1111 }
  const days = new Set(['2026-02-25', '2026-02-26', '2026-03-01'])
  assert.equal(streakOf(weekdays, days, '2026-03-01'), 3, 'Friday and Saturday are free')
  assert.equal(streakOf(weekdays, days, '2026-03-02'), 3)
  assert.equal(streakOf(weekdays, days, '2026-03-03'), 0)
  assert.equal(streakOf(weekdays, new Set(), '2026-03-03'), 0)
})

test('pages are counted by what of them is learnt', () => {
  const page = nextPortion(
    { ...plan, order: 'forward', start: { surah: 2, verse: 6 }, unit: 'page', amount: 1 },
    [],
  )
  assert.deepEqual(page, { surah: 2, from: 6, to: 16 })
  assert.equal(pagesOf(new Set(Array.from({ length: 11 }, (_, index) => 12 + index))), 1)
})
