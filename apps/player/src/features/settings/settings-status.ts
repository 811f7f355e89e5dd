import type { SettingsStatus } from '@manara/player-contract/settings'
import type { WallClock } from '../../ports/wall-clock.ts'
import type { SettingsStore } from './settings.store.ts'
import type { Surroundings } from './surroundings.ts'

export type SettingsStatusDeps = {
  settings: SettingsStore
  wall: WallClock
  surroundings: { known(): Surroundings }
  /** The machine's own name, until the owner gives another. */
  machineName: string
}

/** What a client may see: no password is in it, since none is kept. */
export function settingsStatus(deps: SettingsStatusDeps): SettingsStatus {
  const { settings, wall, surroundings } = deps
  const { connected, ssid, ip, rtc_temperature } = surroundings.known()
  return {
    ssid: ssid || settings.read('ssid'),
    wifi_connected: connected,
    ip,
    hostname: settings.read('hostname') || deps.machineName,
    brightness: settings.read('brightness'),
    timezone: settings.read('timezone'),
    time_format_24h: settings.read('time_format_24h'),
    auto_resume: settings.read('auto_resume'),
    auto_off_minutes: settings.read('auto_off_minutes'),
    card_removal: settings.read('card_removal'),
    max_volume: settings.read('max_volume'),
    audio_output: settings.read('audio_output'),
    fade_up_s: settings.read('fade_up_s'),
    fade_down_s: settings.read('fade_down_s'),
    language: settings.read('language'),
    time: Math.floor(wall.now() / 1000),
    time_synced: wall.isTrusted(),
    time_source: wall.source(),
    ...(rtc_temperature === undefined ? {} : { rtc_temperature }),
  }
}
