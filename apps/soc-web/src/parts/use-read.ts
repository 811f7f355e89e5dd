import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { reads } from '../here.ts'
import type { Read, ReadOptions } from '../stores/reads.ts'

const NOTHING = { data: undefined, error: null, isLoading: false, readAt: 0 }

/** What the service answers to a GET, and goes on answering; nothing is asked for null. */
export function useRead<Reply>(
  path: string | null,
  options: ReadOptions = {},
): Read<Reply> & { again(): void } {
  const shown = useSignal<Read<Reply>>({ ...NOTHING, isLoading: path !== null })
  const again = useSignal<() => void>(() => {})
  useEffect(() => {
    if (path === null) {
      shown.value = NOTHING
      return
    }
    const watched = reads.watch<Reply>(path, options)
    again.value = watched.again
    const leave = watched.read.subscribe((read) => {
      shown.value = read
    })
    return () => {
      leave()
      watched.leave()
    }
  }, [path])
  return { ...shown.value, again: again.value }
}
