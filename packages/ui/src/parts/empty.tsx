import type { ComponentChildren } from 'preact'
import type { IconName } from '../icons.ts'
import { Icon } from './icon.tsx'

type EmptyProps = { icon: IconName; title: string; text: string; children?: ComponentChildren }

/** What this is, why there is nothing yet, and the one thing to do about it. */
export const Empty = ({ icon, title, text, children }: EmptyProps) => (
  <div class="empty">
    <span class="empty-picture">
      <Icon name={icon} />
    </span>
    <h2>{title}</h2>
    <p>{text}</p>
    {children}
  </div>
)
