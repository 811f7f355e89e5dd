import { SURAHS } from '@manara/player-contract/surahs'
import { box, say } from '../here.ts'

/** A reciter in the language of the page, where the box knows the name in it. */
export function reciterName(name: string): string {
  if (say.value.language !== 'ar') return name
  return reciterArabic(name) ?? name
}

export const reciterArabic = (name: string): string | undefined =>
  box.reciters.value?.find((reciter) => reciter.name === name)?.name_ar

/** In the count of most printed copies. */
export const verseCount = (surah: number): number => SURAHS[surah - 1]?.ayahs ?? 0

export function surahName(number: number): string {
  const surah = SURAHS[number - 1]
  if (!surah) return ''
  return say.value.language === 'ar' ? surah.name_ar : surah.name
}
