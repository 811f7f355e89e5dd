import type { Plan } from '@manara/player-contract/learners'
import {
  ordinalOf,
  PAGE_COUNT,
  pageBounds,
  pageOf,
  placeOf,
} from '@manara/player-contract/quran-pages'
import { QURAN_PARTS, quranPart } from '@manara/player-contract/quran-parts'
import { SURAHS } from '@manara/player-contract/surahs'

/** Verses that follow each other in one surah, by ordinal; a lesson never goes beyond one. */
export type Stretch = { first: number; end: number }

const surahStretch = (surah: number): Stretch => {
  const first = ordinalOf({ surah, verse: 1 })
  return { first, end: first + (SURAHS[surah - 1]?.ayahs ?? 0) }
}

const surahs = SURAHS.map(({ number }) => surahStretch(number))

/** The whole Quran in the order in which a plan goes through it, beginning with its start. */
export function learningOrder({ order, start }: Pick<Plan, 'order' | 'start'>): Stretch[] {
  const from = ordinalOf({ surah: start.surah, verse: start.verse })
  const stretches =
    order === 'forward' ? surahs : order === 'backward' ? surahs.toReversed() : ottomanPages()
  const at = stretches.findIndex(({ first, end }) => from >= first && from < end)
  const [begun, ...rest] = stretches.slice(at)
  return begun ? [{ first: from, end: begun.end }, ...rest] : []
}

/** The last page of every juz, then the one before it of every juz, and so on. */
function ottomanPages(): Stretch[] {
  const starts = Array.from({ length: QURAN_PARTS.juz }, (_, index) => {
    const { surah, ayah } = quranPart('juz', index + 1).from
    return pageOf({ surah, verse: ayah })
  })
  const juz = starts.map((first, index) => ({
    first,
    last: (starts[index + 1] ?? PAGE_COUNT + 1) - 1,
  }))
  const longest = Math.max(...juz.map(({ first, last }) => last - first + 1))
  const pages = Array.from({ length: longest }, (_, round) =>
    juz.flatMap(({ first, last }) => (last - round >= first ? [last - round] : [])),
  )
  return pages.flat().flatMap(stretchesOfPage)
}

function stretchesOfPage(page: number): Stretch[] {
  const { first, end } = pageBounds(page)
  const stretches: Stretch[] = []
  for (let from = first; from < end; ) {
    const surahEnd = surahStretch(placeOf(from).surah).end
    const until = Math.min(end, surahEnd)
    stretches.push({ first: from, end: until })
    from = until
  }
  return stretches
}
