import type { EventBus } from '@manara/kit/event-bus'
import type { Logger } from '@manara/kit/logging'
import type { PlayerEvents, Snapshot } from '@manara/player-contract/events'
import type { AppDeps } from './app.ts'
import type { Db } from './db/open-store.ts'
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
import { type SystemDeps, systemStatus } from './features/system/system-status.ts'
import type { AudioOutput } from './ports/audio-output.ts'
import type { Card } from './ports/card.ts'
import type { Clock } from './ports/clock.ts'

export type Parts = {
  audio: AudioOutput
  card: Card
  clock: Clock
  db: Db
  events: EventBus<PlayerEvents>
  log: Logger
  /** File endings the engine can play, without the dot. */
  playable: readonly string[]
  token(): string
  tls?: { key: string; cert: string } | undefined
  system: Omit<SystemDeps, 'db' | 'audio'>
}

/** The only file that knows every name: hands each feature what it needs of the others. */
export function composePlayer(parts: Parts) {
  const { audio, card, clock, db, events, log } = parts
  const settings = createSettingsStore(db)
  const favorites = createFavoriteStore(db, clock.now)
  const stations = createStationStore(db, clock.now)
  const system: SystemDeps = { ...parts.system, db, audio }

  const durations = createDurationStore(db, clock)
  const library = createLibrary({
    card,
    playable: parts.playable,
    now: clock.now,
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
    resume: createResumeStore(db, clock.now),
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
  })

  function countPlay(track: Track) {
    const wasFavorite = favorites.countPlay(
      track.kind === 'file'
        ? { type: 'surah', reciter: track.reciter, surah: track.surah_number, url: '' }
        : { type: 'stream', reciter: '', surah: 0, url: track.url },
    )
    if (wasFavorite) events.emit('favorites', { favorites: favorites.all() })
  }

  async function fileTrack(path: string): Promise<Track> {
    await library.resolve(path)
    const { reciter = '', surah_number = 0 } = library.locate(path) ?? {}
    return { kind: 'file', path, reciter, surah_number }
  }

  const app: AppDeps = {
    token: parts.token,
    tls: parts.tls,
    logger: log,
    library,
    system,
    playback: {
      player,
      fileTrack,
      streamTrack: (url) => ({ kind: 'stream', url, station: stations.byUrl(url)?.name ?? '' }),
    },
    favorites: { favorites, events },
    radio: { stations, events },
    settings: {
      settings,
      events,
      async applyVolumeLimit(limit) {
        if (player.status().volume > limit) await player.setVolume(limit)
      },
    },
  }

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
      system: systemStatus(system),
    }),

    async start() {
      await player.start()
      await library.start()
      if (settings.read('auto_resume')) await autoResume({ player, events, log })
    },

    async stop() {
      await library.stop()
      durations.flush()
      await player.stop()
    },
  }
}
