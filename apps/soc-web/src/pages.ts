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
  /** Found by the commands and by links alone. */
  isBeside?: true
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
  {
    ...{ path: 'hunts', name: 'hunts', icon: 'eye', key: 'h', needs: 'siem:read' },
    load: () => import('./pages/hunts/hunts.tsx'),
  },
  {
    ...{ path: 'rules', name: 'rules', icon: 'shield', key: 'r', needs: 'detections:read' },
    load: () => import('./pages/rules/rules.tsx'),
  },
  {
    ...{ path: 'response', name: 'response', icon: 'bolt', key: 'e', needs: 'soar:read' },
    load: () => import('./pages/response/response.tsx'),
  },
  {
    ...{
      path: 'investigate',
      name: 'investigate',
      icon: 'graph',
      key: 'i',
      needs: 'investigation:trigger',
    },
    load: () => import('./pages/investigate/investigate.tsx'),
  },
  {
    ...{ path: 'agents', name: 'agents', icon: 'spark', key: 'g', needs: 'agents:read' },
    load: () => import('./pages/agents/agents.tsx'),
  },
  {
    ...{ path: 'devices', name: 'devices', icon: 'chip', key: 'd', needs: 'cps:read' },
    load: () => import('./pages/devices/devices.tsx'),
  },
  {
    ...{ path: 'intel', name: 'intel', icon: 'target', key: 'n', needs: 'iocs:read' },
    load: () => import('./pages/intel/intel.tsx'),
  },
  {
    ...{ path: 'reports', name: 'reports', icon: 'report', key: 'p', needs: 'reports:read' },
    load: () => import('./pages/reports/reports.tsx'),
  },
  {
    ...{ path: 'admin', name: 'admin', icon: 'users', key: 'm', needs: 'siem:read' },
    load: () => import('./pages/admin/admin.tsx'),
  },
  {
    ...{ path: 'start', name: 'start', icon: 'flag', key: 'f', needs: 'alerts:read' },
    isBeside: true,
    load: () => import('./pages/start/start.tsx'),
  },
]

export const segmentOf = (path: string) => path.split('/')[1] ?? ''
