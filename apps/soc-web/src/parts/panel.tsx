import type { ComponentChildren } from 'preact'
import { say } from '../here.ts'
import { Icon } from './icon.tsx'

type PanelProps = {
  label: string
  head: ComponentChildren
  onClose(): void
  children: ComponentChildren
}

/** What stands beside a list and tells about one of its rows. */
export const Panel = ({ label, head, onClose, children }: PanelProps) => (
  <aside class="panel" aria-label={label}>
    <header>
      {head}
      <button type="button" class="panel-close" aria-label={say.value.t.close} onClick={onClose}>
        <Icon name="close" />
      </button>
    </header>
    {children}
  </aside>
)
