import type { Http } from '@manara/kit/http'
import { awaitSound } from '../features/settings/await-sound.ts'
import { settingsRoutes } from '../features/settings/settings.routes.ts'
import { createSettingsStore } from '../features/settings/settings.store.ts'
import { settingsStatus } from '../features/settings/settings-status.ts'
import { createSurroundings } from '../features/settings/surroundings.ts'
import type { Outside } from './area.ts'

type SettingsNeeds = { machineName: string; applyVolumeLimit(): Promise<void> }

/** What the owner chose, and what the settings tell of network and clock. */
export function composeSettings(outside: Outside, needs: SettingsNeeds) {
  const { audio, board, clock, db, events, log, outputs, wall, wifi } = outside
  const settings = createSettingsStore(db)
  const status = () => settingsStatus(shown)
  const tell = () => events.emit('settings', status())
  const surroundings = createSurroundings({ board, wifi, clock, onChange: tell })
  const shown = { settings, wall, surroundings, machineName: needs.machineName }
  const { findDevice } = outside
  let endChanges = () => {}
  let endWait = () => {}

  return {
    settings,
    status,
    routes(api: Http) {
      const { applyVolumeLimit } = needs
      settingsRoutes(api, {
        ...shown,
        ...{ audio, outputs, events, board, wifi, surroundings, applyVolumeLimit },
      })
    },
    async start() {
      await board
        .setBrightness(settings.read('brightness'))
        .catch((error) => log.warn({ err: error }, 'the backlight cannot be set'))
      await outputs.look()
      const output = settings.read('audio_output')
      if (output !== 'auto') await audio.useOutput(output)
      const onFound = () => outside.problems.report('audio', undefined)
      if (findDevice) endWait = awaitSound({ audio, clock, settings, findDevice, onFound, log })
      await surroundings.start()
      endChanges = wall.onChange(tell)
    },
    stop() {
      endChanges()
      endWait()
      surroundings.stop()
    },
  }
}
