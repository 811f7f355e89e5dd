import type { Http } from '@manara/kit/http'
import { settingsRoutes } from '../features/settings/settings.routes.ts'
import { createSettingsStore } from '../features/settings/settings.store.ts'
import { settingsStatus } from '../features/settings/settings-status.ts'
import { createSurroundings } from '../features/settings/surroundings.ts'
import type { Outside } from './area.ts'

type SettingsNeeds = { machineName: string; applyVolumeLimit(): Promise<void> }

/** What the owner chose, and what the settings tell of network and clock. */
export function composeSettings(outside: Outside, needs: SettingsNeeds) {
  const { board, clock, db, events, log, wall, wifi } = outside
  const settings = createSettingsStore(db)
  const status = () => settingsStatus(shown)
  const tell = () => events.emit('settings', status())
  const surroundings = createSurroundings({ board, wifi, clock, onChange: tell })
  const shown = { settings, wall, surroundings, machineName: needs.machineName }
  let endChanges = () => {}

  return {
    settings,
    status,
    routes(api: Http) {
      const { applyVolumeLimit } = needs
      settingsRoutes(api, { ...shown, events, board, wifi, surroundings, applyVolumeLimit })
    },
    async start() {
      await board
        .setBrightness(settings.read('brightness'))
        .catch((error) => log.warn({ err: error }, 'the backlight cannot be set'))
      await surroundings.start()
      endChanges = wall.onChange(tell)
    },
    stop() {
      endChanges()
      surroundings.stop()
    },
  }
}
