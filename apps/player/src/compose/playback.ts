import type { Http } from '@manara/kit/http'
import { countPlay } from '../features/favorites/count-play.ts'
import type { FavoriteStore } from '../features/favorites/favorites.store.ts'
import type { Library } from '../features/library/library.ts'
import { autoResume } from '../features/playback/auto-resume.ts'
import { createTracks } from '../features/playback/find-track.ts'
import { playbackRoutes } from '../features/playback/playback.routes.ts'
import { createPlayer } from '../features/playback/player.ts'
import { createResumeStore } from '../features/playback/resume.store.ts'
import type { StationStore } from '../features/radio/stations.store.ts'
import type { SettingsStore } from '../features/settings/settings.store.ts'
import type { Outside } from './area.ts'

type PlaybackNeeds = {
  library: Library
  favorites: FavoriteStore
  stations: StationStore
  settings: SettingsStore
}

/** What plays, and what follows it. */
export function composePlayback(outside: Outside, needs: PlaybackNeeds) {
  const { audio, clock, db, events, log, wall } = outside
  const { library, favorites, stations, settings } = needs
  const tracks = createTracks({ ...library, stationName: (url) => stations.byUrl(url)?.name })
  const player = createPlayer({
    ...{ audio, clock, events, log },
    resume: createResumeStore(db, wall.now),
    memory: {
      volume: { read: () => settings.read('volume'), save: (v) => settings.save('volume', v) },
      mode: { read: () => settings.read('advance'), save: (m) => settings.save('advance', m) },
    },
    maxVolume: () => settings.read('max_volume'),
    fades: () => ({
      up_ms: settings.read('fade_up_s') * 1000,
      down_ms: settings.read('fade_down_s') * 1000,
    }),
    resolve: library.resolve,
    shelf: tracks.onShelf,
    onStarted: (track) => countPlay({ favorites, events }, track),
    onAnnouncement(kind, prayer, phase) {
      if (kind === 'adhan') events.emit('adhan', { prayer, phase })
      else if (prayer !== 'manual' && phase !== 'dua') {
        events.emit('announcement', { kind, prayer, phase })
      }
    },
  })
  let endStorage = () => {}

  return {
    player,
    tracks,
    routes: (api: Http) => playbackRoutes(api, { player, tracks }),
    async start() {
      endStorage = events.on('storage', ({ present }) => present || player.cardRemoved())
      await player.start()
      if (settings.read('auto_resume')) await autoResume({ player, events, log })
    },
    async stop() {
      endStorage()
      await player.stop()
    },
  }
}
