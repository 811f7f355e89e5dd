import { SURAHS, type Surah } from '@manara/player-contract/surahs'

/** Digits as programs read them, whichever the keyboard has. */
export const latinDigits = (text: string): string =>
  text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))

/** One spelling for what people write in many: no vowel signs, one alef, one ya, no hyphens. */
export function plainSpelling(text: string): string {
  return (
    latinDigits(text)
      .normalize('NFD')
      .replace(/\p{M}|[ـ'’‘`ʿʾ_.-]/gu, '')
      .toLowerCase()
      .replace(/[أإآٱ]/g, 'ا')
      // Keyboards for Persian, Urdu and Turkish have letters of their own for the same.
      .replace(/[ىئیے]/g, 'ي')
      .replace(/ک/g, 'ك')
      .replace(/[ہھە]/g, 'ه')
      .replace(/ı/g, 'i')
      .replace(/ؤ/g, 'و')
      .replace(/ة/g, 'ه')
      .replace(/ء/g, '')
      .replace(/\s+/g, ' ')
      .trim()
  )
}

/** Latin spellings differ in doubled letters and vowels: Yaseen, Yasin, Ya-Sin. */
const loose = (text: string) =>
  plainSpelling(text)
    .replace(/ /g, '')
    .replace(/ee|ii|ei/g, 'i')
    .replace(/oo|ou|uu/g, 'u')
    .replace(/aa/g, 'a')
    .replace(/h(?=$|[^aeiou])/g, '')
    .replace(/(.)\1/g, '$1')

const withoutArticle = (text: string) =>
  text.replace(/^(surah?|سوره) ?/, '').replace(/^(ال|al|a[dlnrstz]h?)(?=..)/, '')

type Entry = { surah: Surah; arabic: string; latin: string }
const ENTRIES: Entry[] = SURAHS.map((surah) => ({
  surah,
  arabic: plainSpelling(surah.name_ar),
  latin: loose(surah.name),
}))

/** The surahs that a search means, in the order of the book; all of them for an empty search. */
export function findSurahs(text: string): readonly Surah[] {
  const wanted = plainSpelling(text)
  if (wanted === '') return SURAHS
  if (/^\d+$/.test(wanted)) {
    return SURAHS.filter(({ number }) => String(number).startsWith(wanted))
  }
  const arabic = wanted.replace(/^سوره ?/, '')
  const bare = withoutArticle(arabic)
  const latin = loose(wanted.replace(/^sura(h|t)? ?/, ''))
  const bareLatin = withoutArticle(latin)
  return ENTRIES.filter(
    (entry) =>
      (arabic !== '' && entry.arabic.includes(arabic)) ||
      (bare.length > 1 && entry.arabic.includes(bare)) ||
      (latin !== '' && entry.latin.includes(latin)) ||
      (bareLatin.length > 2 && entry.latin.includes(bareLatin)),
  ).map(({ surah }) => surah)
}
