import type { Http } from '@manara/kit/http'
import { correlationRoutes } from '../features/correlations/correlations.routes.ts'
import { followSignals } from '../features/correlations/follow-signals.ts'
import { type DeviceLogDeps, deviceLogRoutes } from '../features/cps/logs/device-logs.routes.ts'
import { discoveryRoutes } from '../features/discovery/discovery.routes.ts'
import { followDevices } from '../features/discovery/follow-devices.ts'
import type { RaiseAlert } from '../features/discovery/record-devices.ts'
import { firmwareRoutes } from '../features/firmware/firmware.routes.ts'
import { firmwareOf } from '../features/firmware/firmware.store.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Platform } from './area.ts'

type Needs = { logs: Pick<LogStore, 'scan'>; raiseAlert: RaiseAlert } & Pick<
  DeviceLogDeps,
  'takeLogs'
>

const DEVICE_SIEVE = new URL('../features/discovery/device-sieve.ts', import.meta.url)

/** What is known of firmware, what the logs show of devices, and what belongs together. */
export function composeCpsInsight(platform: Platform, needs: Needs) {
  const { db, operatorChange, readThrough, filesInTurn, previewsInTurn } = platform
  const signals = followSignals(platform)
  const devices = followDevices({ ...platform, ...needs, now: Date.now })
  return {
    /** What is known of a hash that a device reports. */
    firmwareOf,
    sieve: DEVICE_SIEVE,
    onPicked: platform.mode.runsPipelines ? devices.onPicked : () => {},
    start() {
      signals.start()
      devices.start()
    },
    stop: () => Promise.all([signals.stop(), devices.stop()]),
    routes(api: Http) {
      firmwareRoutes(api, { db, operatorChange, readThrough, filesInTurn })
      discoveryRoutes(api, { db, operatorChange, readThrough, now: Date.now })
      deviceLogRoutes(api, { db, now: Date.now, takeLogs: needs.takeLogs })
      correlationRoutes(api, { db, operatorChange, readThrough, previewsInTurn, now: Date.now })
    },
  }
}
