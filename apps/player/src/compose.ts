import type { EventBus } from '@manara/kit/event-bus'
import type { Logger } from '@manara/kit/logging'
import type { PlayerEvents, Snapshot } from '@manara/player-contract/events'
import type { AppDeps } from './app.ts'
import { composeCards } from './compose-cards.ts'
import { composeOccasions } from './compose-occasions.ts'
import { composePower } from './compose-power.ts'
import { composeScreen, type ScreenParts } from './compose-screen.ts'
import { composeUpdates, type UpdateParts } from './compose-updates.ts'
import type { Db } from './db/open-store.ts'
import { watchBattery } from './features/battery/watch-battery.ts'
import { createFavoriteStore } from './features/favorites/favorites.store.ts'
import { createDurationStore } from './features/library/durations.store.ts'
import { createDurationOf } from './features/library/durations.ts'
import { createLibrary } from './features/library/library.ts'
import { autoResume } from './features/playback/auto-resume.ts'
import type { Track } from './features/playback/domain/track.ts'
import { createPlayer } from './features/playback/player.ts'
import { createResumeStore } from './features/playback/resume.store.ts'
import { createStationStore } from './features/radio/stations.store.ts'
import { createSettingsStore } from './features/settings/settings.store.ts'
import { type SettingsStatusDeps, settingsStatus } from './features/settings/settings-status.ts'
import { createSurroundings } from './features/settings/surroundings.ts'
import type { ResetDeps } from './features/system/factory-reset.ts'
import { type SystemDeps, systemStatus } from './features/system/system-status.ts'
import type { AudioOutput } from './ports/audio-output.ts'
import type { Board } from './ports/board.ts'
import type { Card } from './ports/card.ts'
import type { Clock } from './ports/clock.ts'
import type { NfcReader } from './ports/nfc-reader.ts'
import type { WallClock } from './ports/wall-clock.ts'
import type { Wifi } from './ports/wifi.ts'

export type Parts = {
  audio: AudioOutput
  card: Card
  clock: Clock
  wall: WallClock
  board: Board
  wifi: Wifi
  screen: Pick<ScreenParts, 'openPainter' | 'panel'>
  reader: NfcReader
  db: Db
  events: EventBus<PlayerEvents>
  log: Logger
  /** File endings the engine can play, without the dot. */
  playable: readonly string[]
  token(): string
  tls?: { key: string; cert: string } | undefined
  system: Pick<SystemDeps, 'version' | 'dataDir' | 'bootFailures' | 'uptime'>
  machineName: string
  updates: UpdateParts
  reset: Pick<ResetDeps, 'useToken' | 'forgetCertificate' | 'restart'>
  /** Dashboards that are connected now. */
  clientCount(): number
}

/** The only file that knows every name: hands each feature what it needs of the others. */
export function composePlayer(parts: Parts) {
  const { audio, board, card, clock, db, events, log, wall, wifi } = parts
  const settings = createSettingsStore(db)
  const favorites = createFavoriteStore(db, wall.now)
  const stations = createStationStore(db, wall.now)
  const system: SystemDeps = {
    ...parts.system,
    db,
    audio,
    board,
    wall,
    cardPresent: () => library.status().card_present,
    reader: parts.reader,
    panel: parts.screen.panel,
  }

  const durations = createDurationStore(db, clock)
  const library = createLibrary({
    card,
    playable: parts.playable,
    now: wall.now,
    durationOf: createDurationOf({ card, cache: durations.cache }),
    onChange: (status) => events.emit('library', status),
    onCard(event) {
      if (event === 'changed') return
      events.emit('storage', { present: event === 'inserted' })
      if (event === 'removed') void player.cardRemoved()
    },
  })

  const player = createPlayer({
    audio,
    events,
    clock,
    log,
    resume: createResumeStore(db, wall.now),
    memory: {
      volume: { read: () => settings.read('volume'), save: (v) => settings.save('volume', v) },
      mode: { read: () => settings.read('advance'), save: (m) => settings.save('advance', m) },
    },
    maxVolume: () => settings.read('max_volume'),
    resolve: library.resolve,
    shelf(reciter, surah_number) {
      const path = library.find(reciter, surah_number)
      return path === undefined ? undefined : { kind: 'file', path, reciter, surah_number }
    },
    onStarted: countPlay,
    onAdhan(prayer, phase) {
      events.emit('adhan', { prayer, phase })
      if (phase !== 'started') occasions.adhanOver()
    },
  })

  function countPlay(track: Track) {
    const wasFavorite = favorites.countPlay(
      track.kind === 'file'
        ? { type: 'surah', reciter: track.reciter, surah: track.surah_number, url: '' }
        : { type: 'stream', reciter: '', surah: 0, url: track.url },
    )
    if (wasFavorite) events.emit('favorites', { favorites: favorites.all() })
  }

  const tellSettings = () => events.emit('settings', settingsStatus(shown))
  const surroundings = createSurroundings({ board, wifi, clock, onChange: tellSettings })
  const shown: SettingsStatusDeps = {
    settings,
    wall,
    surroundings,
    machineName: parts.machineName,
  }
  const battery = watchBattery({ board, clock, events })

  const updates = composeUpdates(parts.updates, {
    ...{ clock, db, events, log },
    version: parts.system.version,
  })

  const isUpdating = () => updates.updater.status().in_progress
  const { silence, fallAsleep, autoOff } = composePower({
    ...{ board, clock, wall, log, events, player, settings, isUpdating },
    nextWake: () => occasions.nextWake(),
    clientCount: parts.clientCount,
  })

  async function fileTrack(path: string): Promise<Track> {
    await library.resolve(path)
    const { reciter = '', surah_number = 0 } = library.locate(path) ?? {}
    return { kind: 'file', path, reciter, surah_number }
  }

  const streamTrack = (url: string, name = ''): Track => ({
    kind: 'stream',
    url,
    station: stations.byUrl(url)?.name ?? name,
  })

  const occasions = composeOccasions({
    ...{ clock, wall, db, events, log, player, library, favorites, fileTrack, streamTrack },
    dataDir: parts.system.dataDir,
    bootFailures: parts.system.bootFailures,
    timezone: () => settings.read('timezone'),
    sleep: fallAsleep,
  })

  const cards = composeCards({
    ...{ clock, wall, db, events, log, player, reader: parts.reader },
    bootFailures: parts.system.bootFailures,
    playTarget: occasions.playTarget,
    checkTarget: occasions.checkTarget,
    removalPolicy: () => settings.read('card_removal'),
    onReader: () => events.emit('system', systemStatus(system)),
  })

  const screen = composeScreen({
    ...{ clock, wall, events, log, settings, player },
    ...parts.screen,
    bootFailures: parts.system.bootFailures,
    prayer: occasions.prayerStatus,
    update: updates.updater.status,
    isCardPresent: () => library.status().card_present,
  })

  const app: AppDeps = {
    token: parts.token,
    tls: parts.tls,
    logger: log,
    library,
    system: {
      ...system,
      fallAsleep,
      reset: {
        ...parts.reset,
        ...{ db, clock, log, silence, isUpdating },
      },
    },
    updater: updates.updater,
    battery,
    playback: {
      player,
      fileTrack,
      streamTrack,
    },
    prayer: occasions.prayer,
    schedules: occasions.schedules,
    screen,
    favorites: { favorites, events },
    radio: { stations, events },
    rfid: cards.rfid,
    settings: {
      ...shown,
      events,
      board,
      wifi,
      surroundings,
      applyVolumeLimit: player.limitVolume,
    },
  }

  const ends: (() => void)[] = []
  const cannotDim = (error: unknown) => log.warn({ err: error }, 'the backlight cannot be set')

  return {
    app,
    player,
    library,
    snapshot: (): Snapshot => ({
      playback: player.status(),
      library: library.status(),
      reciters: [...library.reciters()],
      favorites: favorites.all(),
      stations: stations.all(),
      settings: settingsStatus(shown),
      battery: battery.known(),
      prayer: occasions.prayerStatus(),
      schedules: occasions.allSchedules(),
      ota: updates.updater.status(),
      system: systemStatus(system),
    }),

    async start() {
      await board.setBrightness(settings.read('brightness')).catch(cannotDim)
      await Promise.all([surroundings.start(), battery.start()])
      ends.push(wall.onChange(tellSettings))
      autoOff.start()
      await player.start()
      await library.start()
      if (settings.read('auto_resume')) await autoResume({ player, events, log })
      await occasions.start()
      updates.start()
      screen.start()
      await cards.start()
    },

    /** Resolves when what was due or asked until now is done. */
    async settled() {
      await occasions.settled()
      await updates.confirmation.settled()
      await cards.settled()
      await player.settled()
      await screen.settled()
    },

    async stop() {
      for (const end of ends.splice(0)) end()
      await screen.stop()
      await cards.stop()
      updates.confirmation.stop()
      await occasions.stop()
      autoOff.stop()
      surroundings.stop()
      battery.stop()
      await library.stop()
      durations.flush()
      await player.stop()
    },
  }
}
