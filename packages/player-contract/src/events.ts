import type { Favorite } from './favorites.ts'
import type { LibraryStatus, Reciter } from './library.ts'
import type { ModeReport, PlaybackStatus } from './playback.ts'
import type { Station } from './stations.ts'
import type { SystemStatus } from './system.ts'

/** What is pushed over the WebSocket, each as `{event, data}`. */
export type PlayerEvents = {
  playback: PlaybackStatus
  /** Once a second, only while something plays. */
  progress: { position: number; duration: number }
  volume: { volume: number }
  mode: ModeReport
  library: LibraryStatus
  /** The memory card was put in or pulled out. */
  storage: { present: boolean }
  favorites: { favorites: Favorite[] }
  stations: { stations: Station[] }
  settings: object
}

/** The first message on every connection: all that a dashboard needs to draw itself. */
export type Snapshot = {
  playback: PlaybackStatus
  library: LibraryStatus
  reciters: Reciter[]
  favorites: Favorite[]
  stations: Station[]
  system: SystemStatus
}
