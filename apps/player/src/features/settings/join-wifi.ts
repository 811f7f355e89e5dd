import { AppError, invalid } from '@manara/kit/errors'
import type { Wifi, WifiFailure } from '../../ports/wifi.ts'
import type { SettingsStore } from './settings.store.ts'

export type JoinWifiDeps = {
  wifi: Pick<Wifi, 'join'>
  settings: SettingsStore
  surroundings: { lookQuietly(): Promise<void> }
}

// What the caller can mend names its field; the rest is the box's trouble.
const FIELD: Partial<Record<WifiFailure, 'ssid' | 'password'>> = {
  not_found: 'ssid',
  wrong_password: 'password',
  password_missing: 'password',
  open_network: 'password',
}

/** The name is kept once the network has let the box in; the password is never kept here. */
export async function joinWifi(deps: JoinWifiDeps, ssid: string, password: string): Promise<void> {
  const result = await deps.wifi.join(ssid, password)
  if (!result.joined) {
    const field = FIELD[result.failure]
    throw field ? invalid(field, result.reason) : new AppError(500, `wifi: ${result.reason}`)
  }
  deps.settings.save('ssid', ssid)
  await deps.surroundings.lookQuietly()
}
