import { useEffect, useRef } from 'preact/hooks'
import { PRESSED } from '../../here.ts'
import { useQuery } from '../../parts/use-query.ts'
import type { QueueRows } from './use-queue.ts'

export type Cursor = ReturnType<typeof useCursor>

/** The row with the keyboard: that of the alert in the panel, if it is among them. */
export function useCursor({ queue, list, focus, isUsed }: QueueRows, openId: string) {
  const query = useQuery()
  const table = useRef<HTMLDivElement>(null)
  const openAt = openId ? queue.indexOf(openId) : -1
  const isOpenLoaded = openAt >= 0
  const at = isOpenLoaded ? openAt : focus.value
  useEffect(() => {
    if (!isOpenLoaded) return
    list.current?.reveal(openAt)
    // So that the keyboard stays there when the panel is left.
    focus.value = openAt
  }, [openId, isOpenLoaded])

  function move(by: number) {
    const next = Math.min(Math.max(at + by, 0), Math.max(0, queue.size() - 1))
    focus.value = next
    isUsed.current = true
    list.current?.reveal(next)
    // The rows have the keyboard now, not the button that was pressed before: Enter is for them.
    if (document.activeElement?.closest(PRESSED)) {
      table.current?.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true })
    }
    const id = queue.at(next)?.id
    if (openId && id) query.set({ open: id }, 'replace')
  }
  return { at, current: queue.at(at), isOpenLoaded, table, move }
}
