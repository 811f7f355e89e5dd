import type { Logger } from '@manara/kit/logging'
import type { Settings, SettingsStore } from './settings.store.ts'

/** What was chosen holds also where the disk is full; it is then forgotten at the next start. */
export function keptSetting<Name extends keyof Settings>(
  settings: SettingsStore,
  name: Name,
  log: Pick<Logger, 'warn'>,
) {
  let unsaved: { value: Settings[Name] } | undefined
  return {
    read: (): Settings[Name] => (unsaved ? unsaved.value : settings.read(name)),
    save(value: Settings[Name]) {
      unsaved = { value }
      try {
        settings.save(name, value)
        unsaved = undefined
      } catch (error) {
        log.warn({ err: error }, `${name} could not be kept`)
      }
    },
  }
}
