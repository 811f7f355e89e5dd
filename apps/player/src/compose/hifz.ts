import type { Http } from '@manara/kit/http'
import type { Target } from '@manara/player-contract/target'
import type { VersesOf } from '@manara/player-contract/verses'
import { formatDate } from '@manara/prayer-times/calendar-date'
import { forgetDamaged } from '../db/mend-store.ts'
import { learnerRoutes } from '../features/hifz/learners.routes.ts'
import { createLearnerStore } from '../features/hifz/learners.store.ts'
import { createLessons } from '../features/hifz/lessons.ts'
import { localDate } from '../features/prayer/domain/local-day.ts'
import type { SettingsStore } from '../features/settings/settings.store.ts'
import type { Entrance } from '../features/targets/play-target.ts'
import { createZone } from '../features/timekeeping/zone.ts'
import type { Outside } from './area.ts'

type HifzNeeds = {
  settings: SettingsStore
  versesOf: VersesOf
  playTarget(target: Target, entrance?: Entrance): Promise<void>
  /** Removes the cards that play this learner's lessons. */
  forgetCards(learner: number): void
}

/** Learners, what is due for them, and how they did. */
export function composeHifz(outside: Outside, needs: HifzNeeds) {
  const { clock, db, events, log, wall } = outside
  const zone = createZone(() => needs.settings.read('timezone'))
  const store = createLearnerStore(db, { now: wall.now, monotonic: clock.monotonic })
  const onChange = (id: number) => events.emit('hifz', { id })
  const lessons = createLessons({
    ...{ store, log, onChange },
    date: () => (wall.isSet() ? formatDate(localDate(zone(), wall.now())) : undefined),
    playVerses(reciter, { surah, from, to }, drill, entrance) {
      const mode = { mode: 'hifz_verses' as const, verses: { from, to }, ...drill }
      return needs.playTarget({ type: 'surah', reciter, surah, mode }, entrance)
    },
    prepare(reciter, surah) {
      needs
        .versesOf(reciter, surah)
        .catch((error) => log.warn({ err: error, surah }, 'looking for verses'))
    },
  })

  return {
    lessons,
    beforeSleep: store.beforeSleep,
    isLearner: (id: number) => store.all().some((learner) => learner.id === id),
    routes: (api: Http) =>
      learnerRoutes(api, {
        ...{ store, lessons, onChange },
        alsoErase(id) {
          needs.forgetCards(id)
          forgetDamaged(outside.dataDir)
        },
      }),
    start() {},
    stop() {},
  }
}
