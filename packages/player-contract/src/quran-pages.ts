import { SURAHS } from './surahs.ts'

/** A verse of the whole Quran. */
export type VersePlace = { surah: number; verse: number }

// The first verses of the 604 pages of the Madinah mushaf, in its older print; the newer one
// begins 25 of them elsewhere. `2:1,6,17` are three pages that begin in surah 2.
const PAGE_STARTS: readonly VersePlace[] =
  '1:1 2:1,6,17,25,30,38,49,58,62,70,77,84,89,94,102,106,113,120,127,135,142,146,154,164,170,177,182,187,191,197,203,211,216,220,225,231,234,238,246,249,253,257,260,265,270,275,282,283 3:1,10,16,23,30,38,46,53,62,71,78,84,92,101,109,116,122,133,141,149,154,158,166,174,181,187,195 4:1,7,12,15,20,24,27,34,38,45,52,60,66,75,80,87,92,95,102,106,114,122,128,135,141,148,155,163,171,176 5:3,6,10,14,18,24,32,37,42,46,51,58,65,71,77,83,90,96,104,109,114 6:1,9,19,28,36,45,53,60,69,74,82,91,95,102,111,119,125,132,138,143,147,152,158 7:1,12,23,31,38,44,52,58,68,74,82,88,96,105,121,131,138,144,150,156,160,164,171,179,188,196 8:1,9,17,26,34,41,46,53,62,70 9:1,7,14,21,27,32,37,41,48,55,62,69,73,80,87,94,100,107,112,118,123 10:1,7,15,21,26,34,43,54,62,71,79,89,98,107 11:6,13,20,29,38,46,54,63,72,82,89,98,109,118 12:5,15,23,31,38,44,53,64,70,79,87,96,104 13:1,6,14,19,29,35,43 14:6,11,19,25,34,43 15:1,16,32,52,71,91 16:7,15,27,35,43,55,65,73,80,88,94,103,111,119 17:1,8,18,28,39,50,59,67,76,87,97,105 18:5,16,21,28,35,46,54,62,75,84,98 19:1,12,26,39,52,65,77,96 20:13,38,52,65,77,88,99,114,126 21:1,11,25,36,45,58,73,82,91,102 22:1,6,16,24,31,39,47,56,65,73 23:1,18,28,43,60,75,90,105 24:1,11,21,28,32,37,44,54,59,62 25:3,12,21,33,44,56,68 26:1,20,40,61,84,112,137,160,184,207 27:1,14,23,36,45,56,64,77,89 28:6,14,22,29,36,44,51,60,71,78,85 29:7,15,24,31,39,46,53,64 30:6,16,25,33,42,51 31:1,12,20,29 32:1,12,21 33:1,7,16,23,31,36,44,51,55,63 34:1,8,15,23,32,40,49 35:4,12,19,31,39,45 36:13,28,41,55,71 37:1,25,52,77,103,127,154 38:1,17,27,43,62,84 39:6,11,22,32,41,48,57,68,75 40:8,17,26,34,41,50,59,67,78 41:1,12,21,30,39,47 42:1,11,16,23,32,45,52 43:11,23,34,48,61,74 44:1,19,40 45:1,14,23,33 46:6,15,21,29 47:1,12,20,30 48:1,10,16,24,29 49:5,12 50:1,16,36 51:7,31,52 52:15,32 53:1,27,45 54:7,28,50 55:17,41,68 56:17,51,77 57:4,12,19,25 58:1,7,12,22 59:4,10,17 60:1,6,12 61:6 62:1,9 63:5 64:1,10 65:1,6 66:1,8 67:1,13,27 68:16,43 69:9,35 70:11,40 71:11 72:1,14 73:1,20 74:18,48 75:20 76:6,26 77:20 78:1,31 79:16 80:1 81:1 82:1 83:7,35 85:1 86:1 87:16 89:1,24 91:1 92:15 95:1 97:1 98:8 100:10 103:1 106:1 109:1 112:1'
    .split(' ')
    .flatMap((text) => {
      const [surah = 0, ...verses] = text.split(/[:,]/).map(Number)
      return verses.map((verse) => ({ surah, verse }))
    })

// Index n is the number of verses before surah n + 1.
const BEFORE = [0]
for (const { ayahs } of SURAHS) BEFORE.push((BEFORE.at(-1) ?? 0) + ayahs)

export const VERSE_TOTAL = BEFORE.at(-1) ?? 0

/** 1:1 is 0 and 114:6 is 6235. */
export const ordinalOf = ({ surah, verse }: VersePlace): number =>
  (BEFORE[surah - 1] ?? 0) + verse - 1

export function placeOf(ordinal: number): VersePlace {
  let surah = 1
  while (surah < SURAHS.length && (BEFORE[surah] ?? 0) <= ordinal) surah++
  return { surah, verse: ordinal - (BEFORE[surah - 1] ?? 0) + 1 }
}

const PAGE_ORDINALS = PAGE_STARTS.map(ordinalOf)
export const PAGE_COUNT = PAGE_ORDINALS.length

/** The page, 1..604, on which a verse begins. */
export function pageOf(place: VersePlace): number {
  const ordinal = ordinalOf(place)
  const next = PAGE_ORDINALS.findIndex((start) => start > ordinal)
  return next < 0 ? PAGE_COUNT : next
}

/** The ordinals of the first verse of a page and of the first one after it. */
export const pageBounds = (page: number): { first: number; end: number } => ({
  first: PAGE_ORDINALS[page - 1] ?? VERSE_TOTAL,
  end: PAGE_ORDINALS[page] ?? VERSE_TOTAL,
})
