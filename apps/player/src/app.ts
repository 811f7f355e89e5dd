import { createHttp, type Http } from '@manara/kit/http'
import type { Logger } from '@manara/kit/logging'
import { describeApi } from '@manara/kit/openapi'
import { API } from './api-description.ts'
import { batteryRoutes } from './features/battery/battery.routes.ts'
import type { BatteryWatch } from './features/battery/watch-battery.ts'
import { type FavoriteDeps, favoriteRoutes } from './features/favorites/favorites.routes.ts'
import { libraryRoutes } from './features/library/library.routes.ts'
import type { Library } from './features/library/library.ts'
import { otaRoutes } from './features/ota/ota.routes.ts'
import type { Updater } from './features/ota/updater.ts'
import { type PlaybackDeps, playbackRoutes } from './features/playback/playback.routes.ts'
import { type PrayerDeps, prayerRoutes } from './features/prayer/prayer.routes.ts'
import { type RadioDeps, radioRoutes } from './features/radio/radio.routes.ts'
import { type RfidDeps, rfidRoutes } from './features/rfid/rfid.routes.ts'
import { type ScheduleDeps, scheduleRoutes } from './features/schedules/schedules.routes.ts'
import type { Screen } from './features/screen/keep-screen.ts'
import { screenshotRoutes } from './features/screen/screenshot.routes.ts'
import { type SettingsDeps, settingsRoutes } from './features/settings/settings.routes.ts'
import { type SystemRouteDeps, systemRoutes } from './features/system/system.routes.ts'
import { serveDashboard } from './http/dashboard.ts'
import { requireDeviceToken } from './http/device-token.ts'
import { limitRates } from './http/rate-limits.ts'

export type AppDeps = {
  token(): string
  logger?: Logger
  tls?: { key: string; cert: string } | undefined
  system: SystemRouteDeps
  battery: BatteryWatch
  playback: PlaybackDeps
  library: Library
  favorites: FavoriteDeps
  radio: RadioDeps
  rfid: RfidDeps
  settings: SettingsDeps
  prayer: PrayerDeps
  schedules: ScheduleDeps
  updater: Updater
  screen: Pick<Screen, 'screenshot'>
}

const BODY_LIMIT = 16 * 1024

/** The order of the checks is the order of the calls: rate limit, token, body. */
export async function buildApp(deps: AppDeps): Promise<Http> {
  const http = createHttp({
    envelope: (error) => ({ error }),
    bodyLimit: BODY_LIMIT,
    tls: deps.tls,
    ...(deps.logger ? { logger: deps.logger } : {}),
  })
  limitRates(http)
  requireDeviceToken(http, deps.token)
  await describeApi(http, { ...API, version: deps.system.version })
  await http.register(
    async (scope) => {
      const api = scope as Http
      playbackRoutes(api, deps.playback)
      libraryRoutes(api, { library: deps.library })
      favoriteRoutes(api, deps.favorites)
      radioRoutes(api, deps.radio)
      rfidRoutes(api, deps.rfid)
      prayerRoutes(api, deps.prayer)
      scheduleRoutes(api, deps.schedules)
      settingsRoutes(api, deps.settings)
      systemRoutes(api, deps.system)
      batteryRoutes(api, deps.battery)
      otaRoutes(api, { updater: deps.updater })
      screenshotRoutes(api, deps.screen)
    },
    { prefix: '/api' },
  )
  await serveDashboard(http)
  return http
}
