import type { Http } from '@manara/kit/http'
import type { Db } from '../db/open-store.ts'
import { backupRoutes } from '../features/backup/backup.routes.ts'
import { createFavoriteStore } from '../features/favorites/favorites.store.ts'
import { createLearnerStore } from '../features/hifz/learners.store.ts'
import type { Player } from '../features/playback/player.ts'
import { createQueueStore } from '../features/playback/queue.store.ts'
import { createResumeStore } from '../features/playback/resume.store.ts'
import { createAlmanac } from '../features/prayer/almanac.ts'
import { callAgain } from '../features/prayer/call-again.ts'
import { hasMoved } from '../features/prayer/domain/has-moved.ts'
import { soundPaths } from '../features/prayer/domain/sounds.ts'
import { isKept, keptName, keptSounds } from '../features/prayer/find-kept-sound.ts'
import { createPrayerStore } from '../features/prayer/prayer.store.ts'
import { createStationStore } from '../features/radio/stations.store.ts'
import { createCardStore } from '../features/rfid/cards.store.ts'
import { createScheduleStore } from '../features/schedules/schedules.store.ts'
import { createSettingsStore } from '../features/settings/settings.store.ts'
import { createFiredStore } from '../features/timekeeping/fired.store.ts'
import { createZone } from '../features/timekeeping/zone.ts'
import type { Outside } from './area.ts'
import type { Reset } from './system.ts'

type BackupNeeds = { player: Player; reset: Reset; isUpdating(): boolean }

/** What the owner has put into the box, kept elsewhere and brought back. */
export function composeBackup(outside: Outside, { player, reset, isUpdating }: BackupNeeds) {
  const { clock, log, wall } = outside

  function tryOut(db: Db) {
    createSettingsStore(db)
    createPrayerStore(db)
    createScheduleStore(db, log)
    createFavoriteStore(db, wall.now).all()
    createStationStore(db, wall.now).all()
    createCardStore(db, wall.now).all()
    createQueueStore(db, log).all()
    createResumeStore(db, wall.now).read()
    createLearnerStore(db, { now: wall.now, monotonic: clock.monotonic }).all()
  }

  function callAgainWhereMoved(restored: Db) {
    const { config } = createPrayerStore(restored)
    if (!hasMoved(createPrayerStore(outside.db).config(), config())) return
    const settings = createSettingsStore(restored)
    const zone = createZone(() => settings.read('timezone'))
    const { unmark } = createFiredStore(outside.db, { log, reportProblem() {} })
    callAgain({ almanac: createAlmanac({ config, zone, wall }), wall, unmark })
  }

  const chosenSounds = () => {
    const chosen = Object.values(soundPaths(createPrayerStore(outside.db).config()))
    return [...new Set(chosen.filter(isKept).map(keptName))]
  }

  return {
    routes: (api: Http) =>
      backupRoutes(api, {
        ...{ ...outside, ...reset, isUpdating, tryOut, chosenSounds },
        callAgain: callAgainWhereMoved,
        soundFolder: keptSounds(outside.dataDir),
        silence: player.silence,
      }),
  }
}
