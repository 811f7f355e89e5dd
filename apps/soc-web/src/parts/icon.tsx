import { CONSOLE_ICONS, type ConsoleIcon } from '../icons.ts'

export const Icon = ({ name }: { name: ConsoleIcon }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={CONSOLE_ICONS[name]} />
  </svg>
)
