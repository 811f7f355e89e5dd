import type { Range } from '@manara/player-contract/learners'
import { say } from '../../here.ts'
import { surahName } from '../../parts/names.ts'

/** `Al-Mulk 1–5` */
export function rangeName({ surah, from, to }: Range): string {
  const { number } = say.value
  const verses = from === to ? number(from) : `${number(from)}–${number(to)}`
  return `${surahName(surah)} ${verses}`
}
