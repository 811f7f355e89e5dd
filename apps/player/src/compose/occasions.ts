import type { Http } from '@manara/kit/http'
import {
  type AdhanEvent,
  type AnnouncementEvent,
  isAdhanOver,
} from '@manara/player-contract/prayer'
import type { Target } from '@manara/player-contract/target'
import { formatDate } from '@manara/prayer-times/calendar-date'
import type { FavoriteStore } from '../features/favorites/favorites.store.ts'
import type { Library } from '../features/library/library.ts'
import type { Tracks } from '../features/playback/find-track.ts'
import type { Player } from '../features/playback/player.ts'
import { createAlmanac } from '../features/prayer/almanac.ts'
import { callAgain } from '../features/prayer/call-again.ts'
import { localDate } from '../features/prayer/domain/local-day.ts'
import { findKeptSound, isKept } from '../features/prayer/find-kept-sound.ts'
import { keepChime } from '../features/prayer/keep-chime.ts'
import { prayerRoutes } from '../features/prayer/prayer.routes.ts'
import { createPrayerStore } from '../features/prayer/prayer.store.ts'
import { prayerAgendas } from '../features/prayer/prayer-agendas.ts'
import { readSound } from '../features/prayer/read-sound.ts'
import { askForAdhan, checkAdhanFile, type SoundAdhanDeps } from '../features/prayer/sound-adhan.ts'
import { createZoneFollower } from '../features/schedules/follow-zone.ts'
import { listSchedules } from '../features/schedules/list-schedules.ts'
import { scheduleAgenda } from '../features/schedules/schedule-agenda.ts'
import { scheduleRoutes } from '../features/schedules/schedules.routes.ts'
import { createScheduleStore } from '../features/schedules/schedules.store.ts'
import type { SettingsStore } from '../features/settings/settings.store.ts'
import {
  checkTarget,
  type Entrance,
  playTarget,
  type TargetDeps,
} from '../features/targets/play-target.ts'
import { createFiredStore } from '../features/timekeeping/fired.store.ts'
import { createTimekeeper } from '../features/timekeeping/timekeeper.ts'
import { createZone } from '../features/timekeeping/zone.ts'
import type { Outside } from './area.ts'

type OccasionNeeds = {
  player: Player
  tracks: Tracks
  library: Library
  favorites: FavoriteStore
  settings: SettingsStore
  playPart: TargetDeps['playPart']
  sleep(): Promise<unknown>
  lessons: Pick<TargetDeps, 'playLesson' | 'isLearner' | 'gradeLast'>
}

/** What goes by the clock, prayers and schedules, and the targets that they play. */
export function composeOccasions(outside: Outside, needs: OccasionNeeds) {
  const { clock, wall, db, events, log, problems } = outside
  const { player, tracks, library } = needs
  const timezone = () => needs.settings.read('timezone')
  const zone = createZone(timezone)
  const prayers = createPrayerStore(db)
  const almanac = createAlmanac({ config: prayers.config, zone, wall })
  const fired = createFiredStore(db, {
    reportProblem: (problem) => problems.report('timekeeping', problem),
    log,
  })
  const store = createScheduleStore(db, log)
  const list = { store, zone, wall, hasFired: fired.has }

  const tellPrayer = () => events.emit('prayer', almanac.status())
  const tellSchedules = () => events.emit('schedules', { schedules: listSchedules(list) })
  const tellBoth = () => {
    tellPrayer()
    tellSchedules()
  }

  const resolveSound = (path: string) =>
    isKept(path) ? findKeptSound(outside.dataDir, path) : library.resolve(path)
  const adhan: SoundAdhanDeps = {
    config: prayers.config,
    clock,
    async resolve(path) {
      const file = await resolveSound(path)
      if (!isKept(path)) await readSound(outside.card, file)
      return file
    },
    chime: () => keepChime(outside.dataDir),
    announce: player.announce,
    reportProblem: problems.report,
    onChime: (prayer) => events.emit('adhan', { prayer, phase: 'chime' }),
    log,
  }
  const targets: TargetDeps = {
    playSurah: (reciter, surah, { entrance, mode }) =>
      player.play(() => tracks.surah(reciter, surah), entrance, mode),
    playStream: (url, name, { entrance, mode }) =>
      player.play(tracks.stream(url, name), entrance, mode),
    playPath: (path, { entrance, mode }) => player.play(() => tracks.file(path), entrance, mode),
    playPart: needs.playPart,
    favorite: needs.favorites.target,
    checkPath: library.resolve,
    soundAdhan: (volume) => askForAdhan(adhan, 'manual', volume),
    command: (type) => player.command({ type }),
    playNeighbour: player.playNeighbour,
    resumeSaved: player.resumeSaved,
    setMode: player.setMode,
    setVolume: player.setVolume,
    status: player.status,
    sleep: needs.sleep,
    ...needs.lessons,
  }
  const play = (target: Target, entrance?: Entrance) => playTarget(targets, target, entrance)
  const check = (target: Target, field?: string) => checkTarget(targets, target, field)

  const around = prayerAgendas({
    ...{ almanac, adhan, log },
    onPrayer: tellPrayer,
    onNotice: (event) => events.emit('announcement', event),
  })
  const scheduled = scheduleAgenda(list, {
    ...{ store, log },
    playTarget: play,
    onChange: tellSchedules,
  })
  const timekeeper = createTimekeeper({
    ...{ clock, wall, fired, log },
    dateOf: (epochMs) => formatDate(localDate(zone(), epochMs)),
    isAdhanSounding: player.isAnnouncing,
    // The adhan before the rest: it wins, and what is due in the same minute follows it.
    agendas: [around.begins, around.adhans, around.reminders, around.iqamas, scheduled],
  })
  const replanAnd = (tell: () => void) => () => {
    timekeeper.replan()
    tell()
  }
  const followZone = createZoneFollower({ store, wall, timezone, onChange: replanAnd(tellBoth) })
  const lookAtAdhan = () =>
    checkAdhanFile(adhan).catch((error) => log.error({ err: error }, 'adhan file'))
  const goOnAfter = (event: AdhanEvent | AnnouncementEvent) =>
    isAdhanOver(event) && timekeeper.adhanOver()
  const ends: (() => void)[] = []

  return {
    playTarget: play,
    checkTarget: check,
    prayerStatus: almanac.status,
    allSchedules: () => listSchedules(list),
    nextWake: timekeeper.nextWake,
    settled: timekeeper.settled,

    routes(api: Http) {
      prayerRoutes(api, {
        ...{ almanac, adhan },
        configure: {
          ...{ store: prayers, resolve: resolveSound },
          onMoved: () => callAgain({ almanac, wall, unmark: fired.unmark }),
        },
        onConfigured: () => lookAtAdhan().then(replanAnd(tellPrayer)),
        stopAdhan: player.stopAdhan,
        playback: player.status,
      })
      scheduleRoutes(api, {
        ...list,
        checkTarget: check,
        forget: timekeeper.forget,
        onChange: replanAnd(tellSchedules),
      })
    },

    async start() {
      ends.push(
        events.on('settings', followZone),
        events.on('library', lookAtAdhan),
        events.on('adhan', goOnAfter),
        events.on('announcement', goOnAfter),
      )
      timekeeper.start()
      // After the plan: it may have armed something anew.
      ends.push(wall.onChange(tellBoth))
      await lookAtAdhan()
    },

    async stop() {
      for (const end of ends.splice(0)) end()
      await timekeeper.stop()
    },
  }
}
