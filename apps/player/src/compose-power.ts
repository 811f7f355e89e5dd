import type { EventBus } from '@manara/kit/event-bus'
import type { Logger } from '@manara/kit/logging'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { Player } from './features/playback/player.ts'
import type { SettingsStore } from './features/settings/settings.store.ts'
import { createAutoOff } from './features/system/auto-off.ts'
import { createFallAsleep } from './features/system/fall-asleep.ts'
import type { Board } from './ports/board.ts'
import type { Clock } from './ports/clock.ts'
import type { WallClock } from './ports/wall-clock.ts'

export type PowerParts = {
  board: Board
  clock: Clock
  wall: WallClock
  log: Logger
  events: EventBus<PlayerEvents>
  player: Player
  settings: SettingsStore
  nextWake(): number | undefined
  isUpdating(): boolean
  clientCount(): number
}

/** When the box sleeps, and what keeps it awake. */
export function composePower(parts: PowerParts) {
  const { board, clock, events, log, player, settings, wall } = parts
  const silence = async () => {
    if (player.status().state !== 'stopped') await player.command({ type: 'stop' })
  }
  const fallAsleep = createFallAsleep({
    ...{ board, clock, wall, log },
    nextWake: parts.nextWake,
    beforeSleep: silence,
  })
  const autoOff = createAutoOff({
    ...{ clock, log, fallAsleep },
    minutes: () => settings.read('auto_off_minutes'),
    keepAwake: {
      playback: () => ['playing', 'buffering'].includes(player.status().state),
      hifz_gap: () => player.status().state === 'playing' && !!player.status().hifz?.waiting,
      firmware_update: parts.isUpdating,
      dashboard: () => parts.clientCount() > 0,
    },
    onActivity: (listener) =>
      events.onAny(({ event }) => {
        if (!BY_ITSELF.has(event)) listener()
      }),
  })
  return { silence, fallAsleep, autoOff }
}

// What happens without anybody's doing does not keep the box awake.
const BY_ITSELF = new Set<keyof PlayerEvents>([
  'battery',
  'library',
  'prayer',
  'progress',
  'storage',
  'system',
])
