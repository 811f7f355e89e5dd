import type { Http } from '@manara/kit/http'
import { correlationRoutes } from '../features/correlations/correlations.routes.ts'
import { followSignals } from '../features/correlations/follow-signals.ts'
import { firmwareRoutes } from '../features/firmware/firmware.routes.ts'
import { firmwareOf } from '../features/firmware/firmware.store.ts'
import type { Platform } from './area.ts'

/** What is known of firmware, and what belongs together of computers and devices. */
export function composeCpsInsight(platform: Platform) {
  const { db, operatorChange, readThrough } = platform
  const signals = followSignals(platform)
  return {
    /** What is known of a hash that a device reports. */
    firmwareOf,
    start: signals.start,
    stop: signals.stop,
    routes(api: Http) {
      firmwareRoutes(api, { db, operatorChange, readThrough })
      correlationRoutes(api, { db, operatorChange, readThrough, now: Date.now })
    },
  }
}
