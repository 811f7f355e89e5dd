import type { Http } from '@manara/kit/http'
import type { Target } from '@manara/player-contract/target'
import type { VersesOf } from '@manara/player-contract/verses'
import { countPlay } from '../features/favorites/count-play.ts'
import type { FavoriteStore } from '../features/favorites/favorites.store.ts'
import type { DurationOf } from '../features/library/durations.ts'
import type { Library } from '../features/library/library.ts'
import { autoResume } from '../features/playback/auto-resume.ts'
import { createTracks } from '../features/playback/find-track.ts'
import { findTracks } from '../features/playback/find-tracks.ts'
import { playbackRoutes } from '../features/playback/playback.routes.ts'
import { createPlayer } from '../features/playback/player.ts'
import { queueRoutes } from '../features/playback/queue.routes.ts'
import { createQueueStore } from '../features/playback/queue.store.ts'
import { createResumeStore } from '../features/playback/resume.store.ts'
import { sleepRoutes } from '../features/playback/sleep.routes.ts'
import { createSleepTimerStore } from '../features/playback/sleep-timer.store.ts'
import { createSleepTimer } from '../features/playback/sleep-timer.ts'
import type { StationStore } from '../features/radio/stations.store.ts'
import { keptSetting } from '../features/settings/kept-setting.ts'
import type { SettingsStore } from '../features/settings/settings.store.ts'
import type { How } from '../features/targets/play-target.ts'
import type { Outside } from './area.ts'

type PlaybackNeeds = {
  library: Library
  favorites: FavoriteStore
  stations: StationStore
  settings: SettingsStore
  versesOf: VersesOf
  durationOf: DurationOf
}

/** What plays, and what follows it. */
export function composePlayback(outside: Outside, needs: PlaybackNeeds) {
  const { audio, card, clock, db, events, log, outputs, wall } = outside
  const { library, favorites, stations, settings } = needs
  const tracks = createTracks({
    ...library,
    versesOf: needs.versesOf,
    stationName: (url) => stations.byUrl(url)?.name,
  })
  const queue = createQueueStore(db, log)
  const tellQueue = () => events.emit('queue', { queue: queue.entries() })
  const player = createPlayer({
    ...{ audio, clock, events, log },
    resume: createResumeStore(db, wall.now),
    memory: {
      volume: keptSetting(settings, 'volume', log),
      mode: keptSetting(settings, 'advance', log),
      speed: keptSetting(settings, 'speed', log),
    },
    maxVolume: () => settings.read('max_volume'),
    fades: () => ({
      up_ms: settings.read('fade_up_s') * 1000,
      down_ms: settings.read('fade_down_s') * 1000,
    }),
    queue: {
      next: queue.next,
      take() {
        queue.take()
        tellQueue()
      },
    },
    falling: () => timer.falling(),
    resolve: library.resolve,
    locate: library.locate,
    shelf: tracks.onShelf,
    versesOf: needs.versesOf,
    durationOf: needs.durationOf,
    onStarted: (track) => countPlay({ favorites, events }, track),
    onAnnouncement(kind, prayer, phase) {
      if (kind === 'adhan') events.emit('adhan', { prayer, phase })
      else if (prayer !== 'manual' && phase !== 'dua') {
        events.emit('announcement', { kind, prayer, phase })
      }
    },
  })
  const find = { tracks, favorite: favorites.target }
  const timer = createSleepTimer({
    ...{ clock, log, wall },
    store: createSleepTimerStore(db),
    fade: player.fade,
    async silence() {
      if (!(await player.dropInterrupted())) await player.silence()
    },
    onChange: (status) => events.emit('sleep', status),
  })
  const ends: (() => void)[] = []

  async function isOutputThere(): Promise<boolean> {
    const chosen = settings.read('audio_output')
    return chosen === 'auto' || (await outputs.look()).some(({ id }) => id === chosen)
  }

  return {
    player,
    tracks,
    queue: queue.entries,
    sleep: timer.status,

    /** What plays in the morning is not what the sleep timer was set for. */
    async beforeSleep() {
      await player.silence()
      if (timer.status().active) await timer.cancel()
    },

    /** A juz or a hizb: its first surah now, the rest before whatever is queued. */
    async playPart(target: Target, { entrance, mode }: How) {
      const {
        tracks: [first, ...rest],
      } = await findTracks(find, target)
      if (!first) return
      await player.play(first, entrance, mode)
      const { type, juz, hizb, reciter } = target
      queue.putFirst(`${type} ${juz ?? hizb} ${reciter}`, rest)
      tellQueue()
    },

    routes(api: Http) {
      playbackRoutes(api, { player, tracks })
      sleepRoutes(api, { timer })
      queueRoutes(api, {
        ...find,
        store: queue,
        status: player.status,
        play: (track) => player.playQueued(track),
        onChange: tellQueue,
      })
    },
    async start() {
      ends.push(
        events.on('storage', ({ present }) =>
          present ? player.cardInserted() : player.cardRemoved(card.problem()),
        ),
        events.on('verses', ({ state }) => state === 'searching' || player.versesChanged()),
        events.on('library', () => {
          void player.cardRead()
          void player.versesChanged()
        }),
      )
      // The box answers before it has read its card.
      await player.cardRead()
      if (timer.restore()) {
        player.rest()
        timer.settle()
      } else if (settings.read('auto_resume')) {
        ends.push(await autoResume({ ...{ player, events, clock, log }, isOutputThere }))
      }
    },
    async stop() {
      for (const end of ends.splice(0)) end()
      timer.stop()
      await player.stop()
    },
  }
}
