import type { IconName } from '@manara/ui/icons'
import { Icon } from '@manara/ui/parts/icon'
import { route, say } from '../here.ts'

// Schedules, cards and learners are reached from More; on a desk there is room for them beside the others.
const TABS = [
  ['', 'disc', 'now'],
  ['library', 'book', 'library'],
  ['radio', 'radio', 'radio'],
  ['prayer', 'mosque', 'prayer'],
  ['schedules', 'calendar', 'schedules'],
  ['cards', 'card', 'cards'],
  ['learners', 'learners', 'learners'],
  ['more', 'more', 'more'],
] as const satisfies [string, IconName, string][]

const UNDER_MORE = ['schedules', 'cards', 'learners']

export function Tabs() {
  const { t } = say.value
  const page = route.path.value.split('/')[1] ?? ''
  return (
    <nav class="tabs" aria-label={t.pages}>
      {TABS.map(([path, icon, name]) => (
        <a
          key={path}
          href={`/${path}`}
          data-wide-only={UNDER_MORE.includes(path)}
          aria-current={page === path ? 'page' : undefined}
          data-holds={path === 'more' && UNDER_MORE.includes(page)}
        >
          <span class="tabs-picture">
            <Icon name={icon} />
          </span>
          <span>{t.tabs[name]}</span>
        </a>
      ))}
    </nav>
  )
}
