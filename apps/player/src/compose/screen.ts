import type { Http } from '@manara/kit/http'
import type { OtaStatus } from '@manara/player-contract/ota'
import type { PrayerStatus } from '@manara/player-contract/prayer'
import type { Library } from '../features/library/library.ts'
import type { Pairing } from '../features/pairing/pairing.ts'
import type { Player } from '../features/playback/player.ts'
import { keepScreen } from '../features/screen/keep-screen.ts'
import { screenshotRoutes } from '../features/screen/screenshot.routes.ts'
import type { SettingsStore } from '../features/settings/settings.store.ts'
import { createZone } from '../features/timekeeping/zone.ts'
import type { Outside } from './area.ts'

type ScreenNeeds = {
  player: Player
  library: Library
  settings: SettingsStore
  prayer(): PrayerStatus
  update(): OtaStatus
  pairing: Pairing
}

/** What is to be seen on the box itself. */
export function composeScreen(outside: Outside, needs: ScreenNeeds) {
  const { problems, wall } = outside
  const { library, player, settings } = needs
  const zone = createZone(() => settings.read('timezone'))
  const screen = keepScreen({
    ...outside,
    reportProblem: (problem) => problems.report('screen', problem),
    facts: () => ({
      playback: player.status(),
      gap_ms: player.gapLeft(),
      now: wall.now(),
      isTimeTrusted: wall.isTrusted(),
      zone: zone(),
      prayer: needs.prayer(),
      update: needs.update(),
      isCardPresent: library.status().card_present,
      pairing: needs.pairing.offer(),
      language: settings.read('language'),
      time_format_24h: settings.read('time_format_24h'),
    }),
  })

  return { ...screen, routes: (api: Http) => screenshotRoutes(api, screen) }
}
