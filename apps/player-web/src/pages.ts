import type { LoadPage } from '@manara/ui/parts/loaded-page'

/** What is loaded when it is first asked for, by the first segment of the path. */
export const PAGES: Record<string, LoadPage> = {
  library: () => import('./pages/library/library.tsx'),
  radio: () => import('./pages/radio/radio.tsx'),
  prayer: () => import('./pages/prayer/prayer.tsx'),
  schedules: () => import('./pages/schedules/schedules.tsx'),
  cards: () => import('./pages/cards/cards.tsx'),
  learners: () => import('./pages/learners/learners.tsx'),
  more: () => import('./pages/more/more.tsx'),
}
