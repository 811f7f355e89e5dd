import type { EventBus } from '@manara/kit/event-bus'
import type { Http } from '@manara/kit/http'
import type { Logger } from '@manara/kit/logging'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { Db } from '../db/open-store.ts'
import type { Problems } from '../features/system/problems.ts'
import type { AudioOutput } from '../ports/audio-output.ts'
import type { Board } from '../ports/board.ts'
import type { Card } from '../ports/card.ts'
import type { Clock } from '../ports/clock.ts'
import type { NfcReader } from '../ports/nfc-reader.ts'
import type { OpenPainter, Panel } from '../ports/screen.ts'
import type { SoundOutputs } from '../ports/sound-outputs.ts'
import type { ProbeStation } from '../ports/station-probe.ts'
import type { WallClock } from '../ports/wall-clock.ts'
import type { Wifi } from '../ports/wifi.ts'

/** What every area is given: the box outside the service, its store, and the events. */
export type Outside = {
  audio: AudioOutput
  board: Board
  card: Card
  clock: Clock
  db: Db
  events: EventBus<PlayerEvents>
  /** Only where no device for sound was found: true when there is one now. */
  findDevice?: (() => boolean) | undefined
  log: Logger
  openPainter: OpenPainter
  outputs: SoundOutputs
  panel: Panel | undefined
  probeStation: ProbeStation
  problems: Problems
  reader: NfcReader
  wall: WallClock
  wifi: Wifi
  version: string
  dataDir: string
}

/** A part of the service. Nothing of it runs before `start`, nothing after `stop`. */
export type Area = {
  routes(api: Http): void
  start(): unknown
  stop(): unknown
}
