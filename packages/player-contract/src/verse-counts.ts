import { SURAHS } from './surahs.ts'

/** The ways to count that printed copies of today use. */
export type Count = 'kufan' | 'warsh_qalun' | 'duri_susi'

// Where another count differs from the Kufan one, as surah:verses.
const OTHER: Record<Exclude<Count, 'kufan'>, string> = {
  warsh_qalun:
    '2:285 4:175 5:122 6:167 8:76 9:130 11:121 13:44 14:54 17:110 18:105 19:99 20:134 21:111 22:76 23:119 24:62 26:226 27:95 30:59 31:33 35:46 36:82 38:86 39:72 40:84 41:53 42:50 44:56 45:36 46:34 47:39 52:47 53:61 55:77 56:99 57:28 58:21 67:31 71:30 73:18 74:55 75:39 79:45 89:32 96:20 99:9 101:10 106:5 107:6',
  duri_susi:
    '2:285 4:175 5:122 6:167 8:76 9:130 11:122 13:44 14:54 17:110 18:105 20:134 21:111 22:76 23:119 24:62 27:95 31:33 36:82 38:86 39:72 40:84 41:53 42:50 44:56 45:36 46:34 47:39 52:47 53:61 55:77 56:99 57:28 71:30 75:39 79:45 86:16 89:32 91:16 96:20 101:10 106:5 107:6',
}

const otherCounts = Object.entries(OTHER).map(([count, text]) => {
  const differing = new Map(
    text.split(' ').map((entry) => entry.split(':').map(Number) as [number, number]),
  )
  return { count: count as Count, differing }
})

/** Verses per surah in one way of counting: surah n is at index n - 1. */
export function versesPerSurah(count: Count): number[] {
  const differing = otherCounts.find((other) => other.count === count)?.differing
  return SURAHS.map(({ number, ayahs }) => differing?.get(number) ?? ayahs)
}

/** Every number of verses that a surah has in some count, the Kufan one first. */
export const countsOf = (surah: number): number[] => [
  ...new Set(
    (['kufan', 'warsh_qalun', 'duri_susi'] as const).map(
      (count) => versesPerSurah(count)[surah - 1] ?? 0,
    ),
  ),
]
