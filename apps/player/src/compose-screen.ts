import type { EventBus } from '@manara/kit/event-bus'
import type { Logger } from '@manara/kit/logging'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { OtaStatus } from '@manara/player-contract/ota'
import type { PrayerStatus } from '@manara/player-contract/prayer'
import type { BootFailure } from '@manara/player-contract/system'
import type { Player } from './features/playback/player.ts'
import { keepScreen } from './features/screen/keep-screen.ts'
import type { SettingsStore } from './features/settings/settings.store.ts'
import { createZone } from './features/timekeeping/zone.ts'
import type { Clock } from './ports/clock.ts'
import type { OpenPainter, Panel } from './ports/screen.ts'
import type { WallClock } from './ports/wall-clock.ts'

export type ScreenParts = {
  openPainter: OpenPainter
  panel: Panel | undefined
  clock: Clock
  wall: WallClock
  events: EventBus<PlayerEvents>
  log: Logger
  bootFailures: BootFailure[]
  settings: SettingsStore
  player: Player
  prayer(): PrayerStatus
  update(): OtaStatus
  isCardPresent(): boolean
}

/** The part of the composition that is to be seen on the box itself. */
export function composeScreen(parts: ScreenParts) {
  const { player, settings, wall, log, bootFailures } = parts
  const zone = createZone(() => settings.read('timezone'))

  function reportProblem(problem: string | undefined) {
    const known = bootFailures.findIndex(({ component }) => component === 'screen')
    if (bootFailures[known]?.error === problem) return
    if (known >= 0) bootFailures.splice(known, 1)
    if (!problem) return
    bootFailures.push({ component: 'screen', error: problem })
    log.warn({ problem }, 'the screen cannot be shown')
  }

  return keepScreen({
    openPainter: parts.openPainter,
    panel: parts.panel,
    clock: parts.clock,
    events: parts.events,
    reportProblem,
    facts: () => ({
      playback: player.status(),
      gap_ms: player.gapLeft(),
      now: wall.now(),
      isTimeTrusted: wall.isTrusted(),
      zone: zone(),
      prayer: parts.prayer(),
      update: parts.update(),
      isCardPresent: parts.isCardPresent(),
      language: settings.read('language'),
      time_format_24h: settings.read('time_format_24h'),
    }),
  })
}
