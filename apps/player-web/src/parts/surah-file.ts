import type { ReciterSurahs } from '@manara/player-contract/library'
import { api } from '../here.ts'

/** The file of a surah by a reciter; none where the card does not have it. */
export async function surahFile(reciter: string, surah: number): Promise<string | null> {
  const query = new URLSearchParams({ reciter })
  const { surahs } = await api.get<ReciterSurahs>(`/library/surahs?${query}`)
  return surahs[surah - 1]?.path ?? null
}
