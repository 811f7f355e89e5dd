import type { Permission } from '@manara/soc-contract/permissions'
import type { LoadPage } from '@manara/ui/parts/loaded-page'
import type { ConsoleIcon } from './icons.ts'
import type { Words } from './words/en.ts'

export type PageEntry = {
  /** The first segment of the path; the overview has none. */
  path: string
  name: keyof Words['nav']
  icon: ConsoleIcon
  /** Behind `g`. */
  key: string
  /** Who may read none of it does not see the page. */
  needs: Permission
  load: LoadPage
}

/** What is in the rail, in its order; each comes with a script of its own. */
export const PAGES: PageEntry[] = [
  {
    ...{ path: '', name: 'overview', icon: 'grid', key: 'o', needs: 'stats:read' },
    load: () => import('./pages/overview/overview.tsx'),
  },
  {
    ...{ path: 'alerts', name: 'alerts', icon: 'bell', key: 'a', needs: 'alerts:read' },
    load: () => import('./pages/alerts/alerts.tsx'),
  },
  {
    ...{ path: 'cases', name: 'cases', icon: 'folder', key: 'c', needs: 'cases:read' },
    load: () => import('./pages/cases/cases.tsx'),
  },
  {
    ...{ path: 'search', name: 'search', icon: 'search', key: 's', needs: 'siem:read' },
    load: () => import('./pages/search/search.tsx'),
  },
]
