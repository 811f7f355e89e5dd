import { z } from 'zod'
import { GRADES, ORDERS } from './grades.ts'
import { ReciterName, shownName } from './shown-name.ts'
import { rangeProblem, verseCount } from './verses.ts'

/** A first name or a nickname, and nothing more about a person. */
const Nickname = shownName(40)
const SurahNumber = z.int().min(1).max(114)
const VerseNumber = z.int().min(1).max(286)
const Day = z.string().describe('YYYY-MM-DD, by the calendar of the place')

export const MOST_LEARNERS = 200
const PARTS = ['new', 'recent', 'old'] as const
export type LessonPart = (typeof PARTS)[number]

export const LearnerBody = z.strictObject({ name: Nickname })

const Drill = z.strictObject({
  method: z.enum(['each', 'stack']).optional(),
  repeat: z.int().min(1).max(1000).optional(),
  link: z.int().min(1).max(100).optional(),
  passes: z.int().min(1).max(100).optional(),
  gap_percent: z.int().min(0).max(300).optional(),
  pause_s: z.int().min(0).max(600).optional(),
  unsure: z.boolean().optional().describe('Also verses that are not sure'),
})
export type Drill = z.infer<typeof Drill>

const plan = {
  order: z
    .enum(ORDERS)
    .describe(
      'forward: to the end of the Quran; backward: surah by surah towards the first; ottoman: the last page of each juz, then those before them',
    ),
  start: z.strictObject({ surah: SurahNumber, verse: VerseNumber }),
  unit: z.enum(['verse', 'page']),
  amount: z.number().min(0.25).max(20).describe('A day: 1 to 20 verses, or 0.25 to 3 pages'),
  days: z.int().min(1).max(0b111_1111).describe('Bit 0 is Sunday … bit 6 is Saturday'),
  recent_days: z.int().min(3).max(30).describe('How long what was learnt is repeated every day'),
  cycle_days: z.int().min(5).max(60).describe('Within so many days everything old comes once'),
  reciter: ReciterName,
  drill: Drill.describe('How the new verses are repeated, as in mode hifz_verses'),
}

export const Plan = z.object(plan)
export type Plan = z.infer<typeof Plan>

export const PlanBody = z
  .strictObject({
    ...plan,
    recent_days: plan.recent_days.optional(),
    cycle_days: plan.cycle_days.optional(),
    drill: Drill.optional(),
    replaces: Plan.nullable()
      .optional()
      .describe(
        'The plan that was seen, null for none: 409 where another one is in force by now. Without it any plan is replaced',
      ),
  })
  .superRefine(({ start, unit, amount, drill }, context) => {
    const refuse = (path: string[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const count = verseCount(start.surah)
    if (start.verse > count) refuse(['start', 'verse'], `surah ${start.surah} has ${count} verses`)
    if (unit === 'verse' && !Number.isInteger(amount))
      refuse(['amount'], 'must be a whole number of verses')
    if (unit === 'page' && amount > 3) refuse(['amount'], 'must be at most 3 pages')
    if (unit === 'page' && !Number.isInteger(amount * 4))
      refuse(['amount'], 'must be in quarters of a page')
    if (drill?.link !== undefined && drill.method !== 'stack')
      refuse(['drill', 'link'], 'is for the method stack only')
  })
export type PlanBody = z.infer<typeof PlanBody>

export const Learner = z.object({
  id: z.int(),
  name: z.string(),
  created_at: z.int().describe('Unix seconds'),
  plan: Plan.nullable(),
})
export type Learner = z.infer<typeof Learner>

export const LearnerReply = Learner.extend({ success: z.literal(true) })

const range = { surah: SurahNumber, from: VerseNumber, to: VerseNumber }
export type Range = { surah: number; from: number; to: number }

const PortionToday = z.object({
  ...range,
  done: z.boolean().describe('It was graded today'),
  heard: z.boolean().describe('It was played or graded today'),
  grade: z.enum(GRADES).nullable().describe('The last one; null when there is none yet'),
})
export type PortionToday = z.infer<typeof PortionToday>

export const Today = z.object({
  date: Day,
  day_off: z.boolean().describe('By the plan nothing is due today'),
  new: PortionToday.nullable(),
  note: z.string().describe('Why there is nothing new today; empty otherwise'),
  recent: z.array(PortionToday),
  old: z.array(PortionToday),
  done: z.boolean().describe('All of it was graded today'),
})
export type Today = z.infer<typeof Today>

export const LearnerList = z.object({
  learners: z.array(
    Learner.extend({
      today: Today.nullable().describe('Null without a plan, and while the date is not known'),
    }),
  ),
})

export type LearnerToday = z.infer<typeof LearnerList>['learners'][number]

export const GradeBody = z
  .strictObject({
    ...range,
    grade: z.enum(GRADES),
    by: z.enum(['learner', 'teacher']),
    request: z
      .string()
      .regex(/^[\w-]{8,64}$/, 'must be 8 to 64 letters, digits, - or _')
      .optional()
      .describe('Made up by whoever sends it: sent again with the same one, a grade counts once'),
  })
  .superRefine(({ surah, ...range }, context) => {
    const problem = rangeProblem(surah, range)
    if (problem)
      context.addIssue({ code: 'custom', path: [problem.field], message: problem.message })
  })
export type GradeBody = z.infer<typeof GradeBody>

export const PlayLessonBody = z
  .strictObject({
    part: z.enum(PARTS),
    surah: SurahNumber.optional().describe('With from: this portion of the part, not its next one'),
    from: VerseNumber.optional(),
  })
  .refine(({ surah, from }) => (surah === undefined) === (from === undefined), {
    path: ['from'],
    message: 'goes with surah',
  })
export type PlayLessonBody = z.infer<typeof PlayLessonBody>

export const PlayedLesson = z.object({
  success: z.literal(true),
  part: z.enum(PARTS),
  ...range,
})
export type PlayedLesson = z.infer<typeof PlayedLesson>

const Portion = z.object({
  ...range,
  learnt_on: Day,
  grade: z.enum(GRADES),
  graded_on: Day,
  weak: z.boolean().describe('The last grade was again or hesitant'),
})

const Grading = z.object({
  ...range,
  grade: z.enum(GRADES),
  by: z.enum(['learner', 'teacher']),
  at: z.int().describe('Unix seconds'),
  date: Day,
})

export const Progress = z.object({
  verses: z.int().describe('How many are learnt'),
  pages: z.number().describe('How many pages that is'),
  weak: z.int().describe('Portions whose last grade was again or hesitant'),
  streak: z.int().describe('Days of the plan in a row on which something was done'),
  portions: z.array(Portion).describe('In the order of the Quran'),
  grades: z.array(Grading).describe('The latest first, at most 200'),
})
export type Progress = z.infer<typeof Progress>

export const LearnerExport = z.object({
  learner: Learner,
  portions: z.array(Portion),
  grades: z.array(Grading).describe('All of them, the first one first'),
  days: z.array(Day).describe('On which something was done'),
})
export type LearnerExport = z.infer<typeof LearnerExport>

/** That something about a learner has changed, and no more: the WebSocket asks for no token. */
export type HifzEvent = { id: number }
