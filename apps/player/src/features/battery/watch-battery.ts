import type { EventBus } from '@manara/kit/event-bus'
import type { Battery } from '@manara/player-contract/battery'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { Board } from '../../ports/board.ts'
import type { Clock } from '../../ports/clock.ts'

export type BatteryDeps = {
  board: Pick<Board, 'battery'>
  clock: Clock
  events: EventBus<PlayerEvents>
}

export type BatteryWatch = ReturnType<typeof watchBattery>

const LOOK_EVERY_MS = 30_000

/** Reads the gauge now and then and tells everyone what changed. */
export function watchBattery({ board, clock, events }: BatteryDeps) {
  let known: Battery = { present: false, voltage: 0, percentage: 0, charging: false }
  let endLooks = () => {}

  let looking: Promise<Battery> | undefined

  /** Those who ask at the same time share one look. */
  function look(): Promise<Battery> {
    looking ??= read().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function read(): Promise<Battery> {
    const found = await board.battery()
    const isNews = hasChanged(known, found)
    known = found
    if (isNews) events.emit('battery', found)
    return found
  }

  return {
    look,
    known: () => known,
    async start() {
      known = await board.battery()
      endLooks = clock.every(LOOK_EVERY_MS, () => void look())
    },
    stop: () => endLooks(),
  }
}

/** The voltage alone is no news: it moves with every sound. */
const hasChanged = (before: Battery, after: Battery) =>
  before.present !== after.present ||
  before.percentage !== after.percentage ||
  before.charging !== after.charging
