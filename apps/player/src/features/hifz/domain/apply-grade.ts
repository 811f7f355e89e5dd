import type { Grade } from '@manara/player-contract/grades'
import type { Range } from '@manara/player-contract/learners'
import { ordinalOf, placeOf } from '@manara/player-contract/quran-pages'
import { learntVerses } from './next-portion.ts'

export type GradeEffect<Known extends Range> = {
  /** Portions that were heard with this grade. */
  graded: Known[]
  /** Verses that were not learnt before and are now. */
  learnt: Range[]
}

/** What a grade for some verses means: again teaches nothing new, the others make known what was not. */
export function applyGrade<Known extends Range>(
  known: readonly Known[],
  { surah, from, to }: Range,
  grade: Grade,
): GradeEffect<Known> {
  const graded = known.filter(
    (portion) => portion.surah === surah && portion.from <= to && portion.to >= from,
  )
  if (grade === 'again') return { graded, learnt: [] }
  const covered = learntVerses(graded)
  const first = ordinalOf({ surah, verse: from })
  const learnt: Range[] = []
  for (let ordinal = first; ordinal <= first + to - from; ordinal++) {
    if (covered.has(ordinal)) continue
    const { verse } = placeOf(ordinal)
    const last = learnt.at(-1)
    if (last && last.to === verse - 1) last.to = verse
    else learnt.push({ surah, from: verse, to: verse })
  }
  return { graded, learnt }
}
