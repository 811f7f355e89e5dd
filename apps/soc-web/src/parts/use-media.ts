import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'

/** Whether a media query holds, and goes on holding. */
export function useMedia(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query])
  const holds = useSignal(media.matches)
  useEffect(() => {
    const look = () => {
      holds.value = media.matches
    }
    look()
    media.addEventListener('change', look)
    return () => media.removeEventListener('change', look)
  }, [media])
  return holds.value
}
