import type { EventBus } from '@manara/kit/event-bus'
import type { Logger } from '@manara/kit/logging'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { CardRemoval } from '@manara/player-contract/settings'
import type { BootFailure } from '@manara/player-contract/system'
import type { Target } from '@manara/player-contract/target'
import type { Db } from './db/open-store.ts'
import type { Player } from './features/playback/player.ts'
import { createCardStore } from './features/rfid/cards.store.ts'
import { createLastScan } from './features/rfid/last-scan.ts'
import { createTaps } from './features/rfid/on-tap.ts'
import type { RfidDeps } from './features/rfid/rfid.routes.ts'
import { watchReader } from './features/rfid/watch-reader.ts'
import type { Clock } from './ports/clock.ts'
import type { NfcReader } from './ports/nfc-reader.ts'
import type { WallClock } from './ports/wall-clock.ts'

export type CardParts = {
  reader: NfcReader
  clock: Clock
  wall: WallClock
  db: Db
  events: EventBus<PlayerEvents>
  log: Logger
  bootFailures: BootFailure[]
  player: Player
  playTarget(target: Target): Promise<void>
  checkTarget(target: Target, field: string): Promise<void>
  removalPolicy(): CardRemoval
  /** The reader has come or gone. */
  onReader(): void
}

/** The part of the composition that goes by cards: the reader, what is registered, and taps. */
export function composeCards(parts: CardParts) {
  const { bootFailures, clock, events, log, player } = parts
  const cards = createCardStore(parts.db, parts.wall.now)
  const scan = createLastScan(clock, (uid) => cards.find(uid) !== undefined)

  const taps = createTaps({
    ...{ cards, scan, events },
    removalPolicy: parts.removalPolicy,
    playTarget: parts.playTarget,
    command: (type) => player.command({ type }),
    playback: player.status,
    choice: player.choices,
  })

  function reportProblem(problem: string | undefined) {
    const known = bootFailures.findIndex(({ component }) => component === 'nfc')
    if (known >= 0) bootFailures.splice(known, 1)
    if (problem === undefined) return
    bootFailures.push({
      component: 'nfc',
      error: `${problem}; cards cannot be tapped until a reader answers`,
    })
  }

  const watch = watchReader({
    ...{ clock, log, reader: parts.reader, taps, reportProblem },
    onReader: parts.onReader,
    onAdhanOver: (listener) =>
      events.on('adhan', ({ phase }) => {
        if (phase !== 'started' && phase !== 'chime') listener()
      }),
  })

  const rfid: RfidDeps = {
    ...{ cards, scan, events },
    checkBinding: (binding) => parts.checkTarget(binding, 'binding'),
  }

  return { ...watch, rfid }
}
