import type { LessonPart, PlayLessonBody, Range, Today } from '@manara/player-contract/learners'

export type Lesson = Range & { part: LessonPart }

/** What a tap plays: what was not heard today, the new first; then the new again until it is graded. */
export function nextLesson(today: Today): Lesson | undefined {
  const { new: fresh } = today
  if (fresh && !fresh.heard) return lesson('new', fresh)
  const recent = today.recent.find(({ heard }) => !heard)
  if (recent) return lesson('recent', recent)
  const old = today.old.find(({ heard }) => !heard)
  if (old) return lesson('old', old)
  return fresh && !fresh.done ? lesson('new', fresh) : undefined
}

/**
 * The portion of one kind that was asked for; without a wish the next one: what was not heard today,
 * otherwise what was not graded, otherwise the first.
 */
export function lessonOf(today: Today, { part, surah, from }: PlayLessonBody): Lesson | undefined {
  const portions = part === 'new' ? (today.new ? [today.new] : []) : today[part]
  const next =
    portions.find(({ heard }) => !heard) ?? portions.find(({ done }) => !done) ?? portions[0]
  const portion =
    surah === undefined ? next : portions.find((one) => one.surah === surah && one.from === from)
  return portion && lesson(part, portion)
}

const lesson = (part: LessonPart, { surah, from, to }: Range): Lesson => ({ part, surah, from, to })
