import type { Reciter } from '@manara/player-contract/library'
import { plainSpelling } from './surah-search.ts'

/** Reciters whose name, in either script, holds what was typed. */
export function findReciters(reciters: readonly Reciter[], text: string): readonly Reciter[] {
  const wanted = plainSpelling(text)
  if (wanted === '') return reciters
  return reciters.filter(({ name, name_ar = '' }) =>
    plainSpelling(`${name} ${name_ar}`).includes(wanted),
  )
}
