import type { Battery } from './battery.ts'
import type { CardsEvent, NfcEvent } from './cards.ts'
import type { Favorite } from './favorites.ts'
import type { HifzEvent } from './learners.ts'
import type { LibraryStatus, Reciter } from './library.ts'
import type { ModeReport } from './mode.ts'
import type { OtaStatus } from './ota.ts'
import type { PlaybackStatus } from './playback.ts'
import type { AdhanEvent, AnnouncementEvent, PrayerStatus } from './prayer.ts'
import type { QueueEntry, SleepTimerStatus } from './queue.ts'
import type { Schedule } from './schedules.ts'
import type { SettingsStatus } from './settings.ts'
import type { Station } from './stations.ts'
import type { SystemStatus } from './system.ts'
import type { Upload } from './uploads.ts'
import type { VersesEvent } from './verses.ts'

/** What is pushed over the WebSocket, each as `{event, data}`. */
export type PlayerEvents = {
  playback: PlaybackStatus
  /** Once a second, only while something plays. */
  progress: { position: number; duration: number }
  /** Another verse has begun, where the verses of what plays are known. */
  verse: { surah: number; verse: number }
  volume: { volume: number }
  mode: ModeReport
  /** What plays after the current one has changed. */
  queue: { queue: QueueEntry[] }
  /** The sleep timer was set, called off, or has done its work. */
  sleep: SleepTimerStatus
  library: LibraryStatus
  /** The memory card was put in or pulled out. */
  storage: { present: boolean }
  /** A file that comes over the network has come further, or to its end. */
  upload: Upload
  /** The search for the verses of a recording has come further, or to its end. */
  verses: VersesEvent
  favorites: { favorites: Favorite[] }
  stations: { stations: Station[] }
  /** Something about a learner has changed; what it is takes the token. */
  hifz: HifzEvent
  /** A card was put on the reader. */
  nfc: NfcEvent
  cards: CardsEvent
  /** A setting, the network or the clock has changed. */
  settings: SettingsStatus
  battery: Battery
  /** A prayer has begun, or times have changed. */
  prayer: PrayerStatus
  adhan: AdhanEvent
  /** The reminder before a prayer, or the iqama after its adhan. */
  announcement: AnnouncementEvent
  schedules: { schedules: Schedule[] }
  /** An update has come a percent or a step further. */
  ota: OtaStatus
  /** Something of the box itself has come or gone, for instance the card reader. */
  system: SystemStatus
}

/** The first message on every connection: all that a dashboard needs to draw itself. */
export type Snapshot = {
  playback: PlaybackStatus
  library: LibraryStatus
  reciters: Reciter[]
  queue: QueueEntry[]
  sleep: SleepTimerStatus
  favorites: Favorite[]
  stations: Station[]
  settings: SettingsStatus
  battery: Battery
  prayer: PrayerStatus
  schedules: Schedule[]
  ota: OtaStatus
  system: SystemStatus
}
