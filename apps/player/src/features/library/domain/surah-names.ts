import { SURAHS } from '@manara/player-contract/surahs'

/** Other names by which surahs are widely known, beside those of the list. */
const OTHER_NAMES: readonly (readonly [number: number, names: string])[] = [
  [3, 'Imran, عمران'],
  [9, 'براءة'],
  [17, 'Bani Israil, بني إسرائيل'],
  [36, 'ياسين'],
  [40, 'المؤمن'],
  [41, 'حم السجدة'],
  [76, 'Ad-Dahr, الدهر'],
  [94, 'Al-Inshirah, الانشراح, ألم نشرح'],
  [111, 'Al-Lahab, اللهب'],
]

/** Also names of prayers and of what belongs to them: alone they may well be another sound. */
const NOT_ALONE = new Set([62, 89, 103])

/** In front of a name: `سورة الملك`, `Surah Al-Mulk`, `Suratul Mulk`, `Sourate Al-Mulk`. */
const SURAH = /^(?:سور[هت]|s(?:u|ou)ra(?:h|t|te|tu|tul|tun)?)$/
/** A card has tens of thousands of names, and most have a number alone. */
const MAY_HOLD_WORD = /س|s[uo]+ra/i
const ARTICLE = /^(?:a[lnrst]|ash|ad|adh|az|el)$/
const LONGEST = 3

/** The surah that the word `surah` is followed by, with what stands behind it. */
export function surahAfterWord(text: string): { number: number; rest: string } | undefined {
  if (!MAY_HOLD_WORD.test(text)) return undefined
  const words = wordsOf(text)
  const at = words.findIndex((word) => SURAH.test(word))
  if (at < 0) return undefined
  for (let length = LONGEST; length > 0; length -= 1) {
    const number = NUMBERS.get(keyOf(words.slice(at + 1, at + 1 + length)))
    if (number) return { number, rest: words.slice(at + 1 + length).join(' ') }
  }
  return undefined
}

/** The surah whose name this is, and nothing else. */
export function surahByName(text: string): number | undefined {
  const number = NUMBERS.get(keyOf(wordsOf(text)))
  return number && !NOT_ALONE.has(number) ? number : undefined
}

/** Without vowel signs, hamzas and the like, which everybody writes as they please. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}ـء'’‘`ʿʾ]/gu, '')
    .replace(/ٱ/g, 'ا')
    .replace(/[ىی]/g, 'ي')
    .replace(/[ةۃ]/g, 'ه')
    .replace(/ک/g, 'ك')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** The same for the ways in which a name is spelt in Latin letters: `Yaseen`, `Ya-Sin`. */
function keyOf(words: readonly string[]): string {
  const [first = '', ...more] = words
  const name = (ARTICLE.test(first) && more.length > 0 ? more : words).join('')
  return name
    .replace(/ee|ie|ii/g, 'i')
    .replace(/oo|ou|uu/g, 'u')
    .replace(/aw/g, 'au')
    .replace(/ay/g, 'ai')
    .replace(/([a-z])\1+/g, '$1')
    .replace(/ah$/, 'a')
}

const NUMBERS = new Map(
  [
    ...SURAHS.map(({ number, name, name_ar }) => [number, `${name}, ${name_ar}`] as const),
    ...OTHER_NAMES,
  ].flatMap(([number, names]) =>
    names.split(', ').map((name) => [keyOf(wordsOf(name)), number] as const),
  ),
)
