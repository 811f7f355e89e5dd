import { useOnce } from '@manara/ui/use-once'
import type { ComponentChildren } from 'preact'
import { Key } from './key.tsx'

type ActProps = {
  children: ComponentChildren
  /** Until what it answers is settled, further clicks do nothing. */
  onClick(): unknown
  keys?: string
  look?: 'main' | 'line' | 'plain' | 'danger'
  disabled?: boolean
}

/** A button with the key that does the same. */
export function Act({ children, onClick, keys, look = 'line', disabled = false }: ActProps) {
  const { busy, run } = useOnce(onClick)
  return (
    <button
      type="button"
      class="act"
      data-look={look}
      disabled={disabled}
      {...busy}
      aria-keyshortcuts={keys}
      onClick={() => void run()}
    >
      {children}
      {keys && <Key keys={keys} />}
    </button>
  )
}
