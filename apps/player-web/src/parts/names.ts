import { SURAHS } from '@manara/player-contract/surahs'
import { box, say } from '../here.ts'

/** A reciter in the language of the page, where the box knows the name in it. */
export function reciterName(name: string): string {
  if (say.value.language !== 'ar') return name
  return reciterArabic(name) ?? name
}

export const reciterArabic = (name: string): string | undefined =>
  box.reciters.value?.find((reciter) => reciter.name === name)?.name_ar

/** In both languages, that of the page first; the second where it is known and another. */
export function reciterNames(name: string, arabic: string | undefined): [string, string?] {
  if (!arabic || arabic === name) return [name]
  return say.value.language === 'ar' ? [arabic, name] : [name, arabic]
}

/** To choose from; one whose recitations are gone stays as it was chosen. */
export function reciterOptions(chosen: string) {
  const names = new Set(box.reciters.value?.map(({ name }) => name))
  const all = chosen === '' || names.has(chosen) ? [...names] : [chosen, ...names]
  return all.map((name) => ({ value: name, label: reciterName(name) }))
}

/** In the count of most printed copies. */
export const verseCount = (surah: number): number => SURAHS[surah - 1]?.ayahs ?? 0

export function surahName(number: number): string {
  const surah = SURAHS[number - 1]
  if (!surah) return ''
  return say.value.language === 'ar' ? surah.name_ar : surah.name
}

/** To choose from, by number and name. */
export const surahOptions = () =>
  SURAHS.map(({ number }) => ({
    value: number,
    label: `${say.value.number(number)} ${surahName(number)}`,
  }))
