import type { Http } from '@manara/kit/http'
import { batteryRoutes } from '../features/battery/battery.routes.ts'
import { watchBattery } from '../features/battery/watch-battery.ts'
import type { Library } from '../features/library/library.ts'
import type { Player } from '../features/playback/player.ts'
import type { SettingsStore } from '../features/settings/settings.store.ts'
import { createAutoOff } from '../features/system/auto-off.ts'
import { isActivity, keepAwake } from '../features/system/domain/keep-awake.ts'
import { isSoon } from '../features/system/domain/wake-up.ts'
import type { ResetDeps } from '../features/system/factory-reset.ts'
import { createFallAsleep } from '../features/system/fall-asleep.ts'
import { systemRoutes } from '../features/system/system.routes.ts'
import { systemStatus } from '../features/system/system-status.ts'
import type { Outside } from './area.ts'

export type Reset = Pick<ResetDeps, 'useToken' | 'restart' | 'problem'>

type SystemNeeds = {
  player: Player
  library: Library
  settings: SettingsStore
  reset: Reset
  /** Seconds since the service started. */
  uptime(): number
  nextWake(): number | undefined
  /** Silences the box, and ends what goes by a clock that stands still while it sleeps. */
  beforeSleep(): Promise<void>
  isUpdating(): boolean
  socState(): 'off' | 'connected' | 'away'
  /** To those who were told about this box, before it forgets them. */
  sayGoodbye(): Promise<void>
  /** Dashboards that are connected now. */
  dashboardCount(): number
}

/** The box itself: its state and battery, when it sleeps, and the factory reset. */
export function composeSystem(outside: Outside, needs: SystemNeeds) {
  const { board, clock, dataDir, db, events, log, wall } = outside
  const { player, library, settings, isUpdating } = needs
  const system = {
    ...outside,
    uptime: needs.uptime,
    cardPresent: () => library.status().card_present,
    socState: needs.socState,
  }
  const battery = watchBattery({ board, clock, events })
  const fallAsleep = createFallAsleep({ ...outside, ...needs })
  const autoOff = createAutoOff({
    ...{ clock, log, fallAsleep },
    minutes: () => settings.read('auto_off_minutes'),
    isDueSoon: () => isSoon(needs.nextWake(), wall.now()),
    keepAwake: keepAwake({ playback: player.status, ...needs }),
    onActivity: (listener) => events.onAny((message) => isActivity(message) && listener()),
  })
  const status = () => systemStatus(system)
  const tell = () => events.emit('system', status())
  let endCard = () => {}

  return {
    status,
    tell,
    battery: battery.known,
    fallAsleep,
    routes(api: Http) {
      const { sayGoodbye } = needs
      const reset = {
        ...{ ...needs.reset, db, dataDir, clock, log, isUpdating, sayGoodbye },
        silence: player.silence,
      }
      systemRoutes(api, { ...system, fallAsleep, reset })
      batteryRoutes(api, battery)
    },
    async start() {
      // Whether there is a card, and whether it answers.
      endCard = events.on('library', tell)
      await battery.start()
      autoOff.start()
    },
    stop() {
      endCard()
      autoOff.stop()
      battery.stop()
    },
  }
}
