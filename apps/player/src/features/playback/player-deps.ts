import type { EventBus } from '@manara/kit/event-bus'
import type { Logger } from '@manara/kit/logging'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { ModeBody } from '@manara/player-contract/mode'
import type { AdhanEvent } from '@manara/player-contract/prayer'
import type { VersesOf } from '@manara/player-contract/verses'
import type { AudioOutput, Falling } from '../../ports/audio-output.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AdhanPhase, AnnouncementKind } from './announcement.ts'
import type { FileTrack, Track } from './domain/track.ts'
import type { ResumeStore } from './resume.store.ts'

/** With the one that holds again after a drill that came with what plays. */
type KeptMode = ModeBody & { own?: ModeBody }

/** What the player needs of the world and of the other features. */
export type PlayerDeps = {
  audio: AudioOutput
  events: EventBus<PlayerEvents>
  clock: Clock
  log: Pick<Logger, 'warn'>
  resume: ResumeStore
  /** Kept over restarts. */
  memory: {
    volume: { read(): number; save(volume: number): void }
    mode: { read(): KeptMode; save(mode: KeptMode): void }
    /** Percent, of files. */
    speed: { read(): number; save(speed: number): void }
  }
  maxVolume(): number
  /** How long what comes in by itself rises, and what makes room for it falls. */
  fades(): { up_ms: number; down_ms: number }
  /** While a sleep timer fades: what begins now is not louder than what it has faded to. */
  falling(): Falling | undefined
  /** The absolute path of a file on the card; throws 400 naming `path`. */
  resolve(relativePath: string): Promise<string>
  /** Of a file by its absolute path, as its headers say; undefined where they do not. */
  durationOf(file: string): Promise<number | undefined>
  /** What somebody wants to hear after the current one. */
  queue: { next(): Track | undefined; take(): void }
  /** Which surah of which reciter a file is, as far as the card has been read. */
  locate(path: string): { reciter: string; surah_number: number } | undefined
  shelf(reciter: string, surah: number): FileTrack | undefined
  versesOf: VersesOf
  /** A track has begun by itself or by command: counts as a play. */
  onStarted(track: Track): void
  onAnnouncement(kind: AnnouncementKind, prayer: AdhanEvent['prayer'], phase: AdhanPhase): void
}
