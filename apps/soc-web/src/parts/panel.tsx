import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { say } from '../here.ts'
import { Icon } from './icon.tsx'
import { LongText } from './long-text.tsx'

type PanelProps = {
  /** Shown above where the content has no heading of its own. */
  title?: string | undefined
  label: string
  head?: ComponentChildren
  onClose(): void
  children: ComponentChildren
}

/** What stands beside a list and tells about one of its rows. */
export function Panel({ label, title, head, onClose, children }: PanelProps) {
  const panel = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const row = document.activeElement
    // Opened by a key: what is in it lies behind all rows of the list.
    if (row?.matches('.table-open:focus-visible')) panel.current?.focus()
    return () => {
      if (!panel.current?.contains(document.activeElement)) return
      const back = row?.isConnected && row !== document.body ? row : document.getElementById('main')
      // Where the panel covers the list, that is shown again a moment later.
      queueMicrotask(() => (back as HTMLElement | null)?.focus({ preventScroll: true }))
    }
  }, [])
  return (
    <aside class="panel" aria-label={label} tabIndex={-1} ref={panel}>
      <header>
        {title !== undefined && (
          <h2 dir="auto">
            <LongText key={title} text={title} most={200} />
          </h2>
        )}
        {head}
        <button type="button" class="panel-close" aria-label={say.value.t.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </aside>
  )
}
