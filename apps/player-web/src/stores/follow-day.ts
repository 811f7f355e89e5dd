import type { PrayerStatus } from '@manara/player-contract/prayer'
import { effect, type ReadonlySignal } from '@preact/signals'
import { type Api, Unreachable } from './api.ts'
import type { Box } from './box.ts'
import type { createKeepAsking } from './keep-asking.ts'

type FollowDeps = {
  box: Box
  api: Pick<Api, 'get'>
  keepAsking: ReturnType<typeof createKeepAsking>
  /** By the calendar of the box, YYYY-MM-DD. */
  today: ReadonlySignal<string>
  isStale: ReadonlySignal<boolean>
}

/**
 * At midnight the box says nothing: without asking, a page that stays open would show the date and
 * the times of yesterday until Fajr.
 */
export const followDay = ({ box, api, keepAsking, today, isStale }: FollowDeps) =>
  effect(() => {
    const day = today.value
    if (isStale.value) return undefined
    return keepAsking(async () => {
      const shown = box.prayer.peek()
      if (!shown?.valid || shown.date === day) return
      const prayer = await api.get<PrayerStatus>('/prayer')
      box.newDay(prayer)
      // Its clock may be a moment behind what this page takes it to be.
      if (prayer.valid && prayer.date !== day) throw new Unreachable('it is not yet midnight')
    })
  })
