import type { VersesReport } from '@manara/player-contract/verses'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, box, keepAsking } from '../here.ts'

/** Where the verses of a surah lie, asked for when somebody looks; undefined until it is known. */
export function useVerses(reciter: string, surah: number) {
  const verses = useSignal<VersesReport | undefined>(undefined)
  const changed = box.versesChanged.value
  useEffect(() => {
    if (reciter === '' || surah === 0) return undefined
    const query = new URLSearchParams({ reciter, surah: String(surah) })
    return keepAsking(async () => {
      verses.value = await api.get<VersesReport>(`/library/verses?${query}`)
    })
  }, [reciter, surah, changed])
  return verses
}
