import type { ComponentChildren } from 'preact'
import { Key } from './key.tsx'

type ActProps = {
  children: ComponentChildren
  onClick(): void
  keys?: string
  look?: 'main' | 'line' | 'plain' | 'danger'
  disabled?: boolean
}

/** A button with the key that does the same. */
export const Act = ({ children, onClick, keys, look = 'line', disabled = false }: ActProps) => (
  <button
    type="button"
    class="act"
    data-look={look}
    disabled={disabled}
    aria-keyshortcuts={keys}
    onClick={onClick}
  >
    {children}
    {keys && <Key keys={keys} />}
  </button>
)
