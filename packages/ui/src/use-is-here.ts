import { useEffect, useRef } from 'preact/hooks'

/**
 * Whether what asks is still on the page. What closes itself when its work is done asks first: closed
 * by hand meanwhile, another one may stand in its place, which is not to go for it.
 */
export function useIsHere(): () => boolean {
  const isHere = useRef(true)
  useEffect(
    () => () => {
      isHere.current = false
    },
    [],
  )
  return () => isHere.current
}
