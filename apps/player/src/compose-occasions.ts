import { invalid } from '@manara/kit/errors'
import type { EventBus } from '@manara/kit/event-bus'
import type { Logger } from '@manara/kit/logging'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { BootFailure } from '@manara/player-contract/system'
import type { Target } from '@manara/player-contract/target'
import { formatDate } from '@manara/prayer-times/calendar-date'
import type { Db } from './db/open-store.ts'
import type { FavoriteStore } from './features/favorites/favorites.store.ts'
import type { Library } from './features/library/library.ts'
import type { Track } from './features/playback/domain/track.ts'
import type { Player } from './features/playback/player.ts'
import { createAlmanac } from './features/prayer/almanac.ts'
import type { PrayerMoment } from './features/prayer/domain/adhan-times.ts'
import { localDate } from './features/prayer/domain/local-day.ts'
import { keepChime } from './features/prayer/keep-chime.ts'
import type { PrayerDeps } from './features/prayer/prayer.routes.ts'
import { createPrayerStore } from './features/prayer/prayer.store.ts'
import { checkAdhanFile, type SoundAdhanDeps, soundAdhan } from './features/prayer/sound-adhan.ts'
import { type ScheduleOccasion, scheduleOccasions } from './features/schedules/agenda.ts'
import { type FireDeps, fireSchedules, skipSchedules } from './features/schedules/fire-schedules.ts'
import { type ListDeps, listSchedules } from './features/schedules/list-schedules.ts'
import type { ScheduleDeps } from './features/schedules/schedules.routes.ts'
import { createScheduleStore } from './features/schedules/schedules.store.ts'
import { checkTarget, playTarget, type TargetDeps } from './features/targets/play-target.ts'
import { createFiredStore } from './features/timekeeping/fired.store.ts'
import { type Agenda, createTimekeeper } from './features/timekeeping/timekeeper.ts'
import { createZone } from './features/timekeeping/zone.ts'
import type { Clock } from './ports/clock.ts'
import type { WallClock } from './ports/wall-clock.ts'

export type OccasionParts = {
  clock: Clock
  wall: WallClock
  db: Db
  dataDir: string
  events: EventBus<PlayerEvents>
  log: Logger
  bootFailures: BootFailure[]
  player: Player
  library: Library
  favorites: FavoriteStore
  fileTrack(path: string): Promise<Track>
  streamTrack(url: string, name?: string): Track
  timezone(): string
  sleep(): Promise<unknown>
}

/** The part of the composition that goes by the clock: prayers, schedules, and what they set off. */
export function composeOccasions(parts: OccasionParts) {
  const { clock, wall, db, events, log, player, library, favorites } = parts
  const zone = createZone(parts.timezone)
  const prayers = createPrayerStore(db)
  const almanac = createAlmanac({ config: prayers.config, zone, wall })
  const fired = createFiredStore(db)
  const schedules = createScheduleStore(db)
  const listDeps: ListDeps = { store: schedules, zone, wall, hasFired: fired.has }

  const tellPrayer = () => events.emit('prayer', almanac.status())
  const tellSchedules = () => events.emit('schedules', { schedules: listSchedules(listDeps) })

  const adhan: SoundAdhanDeps = {
    config: prayers.config,
    resolve: library.resolve,
    chime: () => keepChime(parts.dataDir),
    announce: player.announce,
    reportProblem(problem) {
      const { bootFailures } = parts
      const known = bootFailures.findIndex(({ component }) => component === 'adhan')
      if (known >= 0) bootFailures.splice(known, 1)
      if (problem) bootFailures.push({ component: 'adhan', error: problem })
    },
    onChime: (prayer) => events.emit('adhan', { prayer, phase: 'chime' }),
    log,
  }
  const lookAtAdhan = () =>
    checkAdhanFile(adhan).catch((error) => log.error({ err: error }, 'adhan file'))

  const targets: TargetDeps = {
    async playSurah(reciter, surah) {
      const path = library.find(reciter, surah)
      if (path === undefined) throw invalid('surah', `${surah} of ${reciter} is not on the card`)
      return player.play(await parts.fileTrack(path))
    },
    playStream: (url, name) => player.play(parts.streamTrack(url, name)),
    playPath: async (path) => player.play(await parts.fileTrack(path)),
    favorite: (id) => favorites.target(id),
    checkPath: library.resolve,
    soundAdhan: () => soundAdhan(adhan, 'manual'),
    command: (type) => player.command({ type }),
    resumeSaved: player.resumeSaved,
    setMode: player.setMode,
    setVolume: player.setVolume,
    status: player.status,
    sleep: parts.sleep,
  }

  const fireDeps: FireDeps = {
    store: schedules,
    playTarget: (target) => playTarget(targets, target),
    setVolume: player.setVolume,
    onChange: tellSchedules,
    log,
  }

  const prayerBegins: Agenda<PrayerMoment> = {
    occasions: almanac.moments,
    due: async () => tellPrayer(),
    missed: () => {},
    isOnce: false,
    waitsForAdhan: false,
  }
  const adhans: Agenda<PrayerMoment> = {
    occasions: almanac.adhans,
    // Two at once come from offsets that meet: the later one is the prayer that is on.
    due: (moments) => soundAdhan(adhan, moments.at(-1)?.prayer ?? 'manual'),
    missed: (moments) => log.debug({ moments }, 'adhan missed'),
    isOnce: true,
    waitsForAdhan: false,
  }
  const scheduled: Agenda<ScheduleOccasion> = {
    occasions: (from, until) => scheduleOccasions(listDeps, from, until),
    due: (due) => fireSchedules(fireDeps, due),
    missed: (missed) => skipSchedules(fireDeps, missed),
    isOnce: true,
    waitsForAdhan: true,
  }

  const timekeeper = createTimekeeper({
    ...{ clock, wall, fired, log },
    dateOf: (epochMs) => formatDate(localDate(zone(), epochMs)),
    isAdhanSounding: player.isAnnouncing,
    // The adhan before schedules: it wins, and what is due in the same minute follows it.
    agendas: [prayerBegins, adhans, scheduled],
  })

  const prayerDeps: PrayerDeps = {
    almanac,
    configure: { store: prayers, resolve: library.resolve },
    adhan,
    async onConfigured() {
      await lookAtAdhan()
      timekeeper.replan()
      tellPrayer()
    },
    stopAdhan: player.stopAdhan,
    playback: player.status,
  }
  const scheduleDeps: ScheduleDeps = {
    ...listDeps,
    checkTarget: (target) => checkTarget(targets, target),
    forgetFired: fired.forget,
    onChange() {
      timekeeper.replan()
      tellSchedules()
    },
  }

  let rule = parts.timezone()
  const ends: (() => void)[] = []

  /** What was chosen for the old zone's clock counts from now on the new one. */
  function followZone() {
    if (rule === parts.timezone()) return
    rule = parts.timezone()
    if (wall.isTrusted()) schedules.arm(wall.now(), true)
    timekeeper.replan()
    tellPrayer()
    tellSchedules()
  }

  function followClock() {
    tellPrayer()
    tellSchedules()
  }

  return {
    playTarget: fireDeps.playTarget,
    checkTarget: (target: Target, field: string) => checkTarget(targets, target, field),
    prayer: prayerDeps,
    schedules: scheduleDeps,
    prayerStatus: almanac.status,
    allSchedules: () => listSchedules(listDeps),
    adhanOver: timekeeper.adhanOver,
    nextWake: timekeeper.nextWake,
    settled: timekeeper.settled,

    async start() {
      await lookAtAdhan()
      ends.push(
        events.on('settings', followZone),
        events.on('library', () => void lookAtAdhan()),
        wall.onChange(followClock),
      )
      timekeeper.start()
    },

    async stop() {
      for (const end of ends.splice(0)) end()
      await timekeeper.stop()
    },
  }
}
