import { ICONS, type IconName } from '../icons.ts'

export const Icon = ({ name, filled = false }: { name: IconName; filled?: boolean }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" data-filled={filled}>
    <path d={ICONS[name]} />
  </svg>
)

/** The lighthouse. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <path class="mark-beam" d="M14 8.5 1 4v9zM18 8.5 31 4v9z" />
    <path class="mark-tower" d="M13.2 13h5.600l2 15h-9.600zM9 28h14v2H9zM12 11h8v2h-8z" />
    <circle class="mark-light" cx="16" cy="8.5" r="2.6" />
    <path class="mark-tower" d="M12.8 6.200a3.6 3.6 0 0 1 6.4 0L16 2.500z" />
  </svg>
)
