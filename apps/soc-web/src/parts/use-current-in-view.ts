import { useEffect, useRef } from 'preact/hooks'

/** Where links stand in one line, the one of this page is in view, however narrow the line is. */
export function useCurrentInView(current: string) {
  const line = useRef<HTMLElement>(null)
  useEffect(() => {
    const box = line.current
    const link = box?.querySelector<HTMLElement>('[aria-current=page]')
    if (!box || !link) return
    const middle = link.offsetLeft - box.offsetLeft + link.offsetWidth / 2
    box.scrollLeft = middle - box.clientWidth / 2
  }, [current])
  return line
}
