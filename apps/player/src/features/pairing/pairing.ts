import { conflict } from '@manara/kit/errors'
import type { EventBus } from '@manara/kit/event-bus'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { Clock } from '../../ports/clock.ts'

export type PairingDeps = {
  /** `PLAYER_PAIRING=screen`: the owner has agreed that the token may be seen on the box. */
  isWanted: boolean
  clock: Pick<Clock, 'monotonic'>
  events: EventBus<PlayerEvents>
  /** Seconds since the machine was switched on; a restart of the service is nobody's act. */
  machineUptime(): number
  /** Under which the dashboard is opened: `https://minaret.local:8443`. */
  address(): string
  token(): string
}

export type Pairing = ReturnType<typeof createPairing>

const OPEN_MS = 120_000

/**
 * Who stands before the box may pair a phone: for two minutes after a physical act there is a link
 * that opens the dashboard with the token. It stands behind the `#`, which browsers send to nobody.
 */
export function createPairing({ isWanted, clock, events, ...deps }: PairingDeps) {
  let openUntil = Number.NEGATIVE_INFINITY
  let endTaps = () => {}

  /** A card or a button: somebody is there. */
  function act(openMs = OPEN_MS) {
    if (isWanted) openUntil = clock.monotonic() + openMs
  }

  return {
    act,

    /** The button that is there for this: who presses it is told where nothing will be shown. */
    press() {
      if (!isWanted) throw conflict('pairing is off: set PLAYER_PAIRING=screen')
      act()
    },

    offer(): { address: string; link: string } | undefined {
      if (clock.monotonic() >= openUntil) return undefined
      const address = deps.address()
      return { address, link: `${address}/#token=${deps.token()}` }
    },

    start() {
      const sinceOn_ms = deps.machineUptime() * 1000
      if (sinceOn_ms < OPEN_MS) act(OPEN_MS - sinceOn_ms)
      // A registered card has a meaning of its own; any other one, such as a bus ticket, asks for this.
      endTaps = events.on('nfc', ({ registered }) => registered || act())
    },
    stop: () => endTaps(),
  }
}
