import type { Memory } from '@manara/ui/preferences'
import { signal } from '@preact/signals'

type DockDeps = { memory: Memory; page: Document }

/** The chat beside the page, open until somebody closes it. */
export function createDock({ memory, page }: DockDeps) {
  const isOpen = signal(memory.getItem('dock') === 'open')
  let openedFrom: Element | null = null

  function close() {
    isOpen.value = false
    memory.removeItem('dock')
    // Back to where it was opened from, or to the page.
    const isThere = openedFrom instanceof HTMLElement && openedFrom.isConnected
    const back = isThere && openedFrom !== page.body ? openedFrom : null
    ;((back ?? page.getElementById('main')) as HTMLElement | null)?.focus({ preventScroll: true })
  }

  function toggle() {
    if (isOpen.value) return close()
    openedFrom = page.activeElement
    isOpen.value = true
    memory.setItem('dock', 'open')
  }

  return { isOpen, toggle, close }
}
