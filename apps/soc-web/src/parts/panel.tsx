import type { ComponentChildren } from 'preact'
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
export const Panel = ({ label, title, head, onClose, children }: PanelProps) => (
  <aside class="panel" aria-label={label}>
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
