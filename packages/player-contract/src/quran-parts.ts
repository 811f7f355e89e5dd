import { SURAHS } from './surahs.ts'

type Verse = { surah: number; ayah: number }

/** A juz or a hizb: where it begins and ends, and the surahs it touches. */
export type QuranPart = { number: number; from: Verse; to: Verse; surahs: number[] }

// The first verses of the sixty ahzab of the Madinah mushaf; every odd one begins a juz.
const HIZB_STARTS =
  '1:1 2:75 2:142 2:203 2:253 3:15 3:93 3:171 4:24 4:88 4:148 5:27 5:82 6:36 6:111 7:1 7:88 7:171 8:41 9:34 9:93 10:26 11:6 11:84 12:53 13:19 15:1 16:51 17:1 17:99 18:75 20:1 21:1 22:1 23:1 24:21 25:21 26:111 27:56 28:51 29:46 31:22 33:31 34:24 36:28 37:145 39:32 40:41 41:47 43:24 46:1 48:18 51:31 55:1 58:1 62:1 67:1 72:1 78:1 87:1'
    .split(' ')
    .map((text) => {
      const [surah = 0, ayah = 0] = text.split(':').map(Number)
      return { surah, ayah }
    })

const LAST: Verse = { surah: 114, ayah: 6 }

/** `juz` 1..30 or `hizb` 1..60. */
export function quranPart(kind: 'juz' | 'hizb', number: number): QuranPart {
  const hizbs = kind === 'juz' ? 2 : 1
  const first = (number - 1) * hizbs
  const from = HIZB_STARTS[first] ?? LAST
  const next = HIZB_STARTS[first + hizbs]
  const to = next ? verseBefore(next) : LAST
  const surahs = Array.from({ length: to.surah - from.surah + 1 }, (_, index) => from.surah + index)
  return { number, from, to, surahs }
}

export const QURAN_PARTS = { juz: 30, hizb: 60 } as const

function verseBefore({ surah, ayah }: Verse): Verse {
  if (ayah > 1) return { surah, ayah: ayah - 1 }
  return { surah: surah - 1, ayah: SURAHS[surah - 2]?.ayahs ?? 0 }
}
