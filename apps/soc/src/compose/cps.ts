import type { Http } from '@manara/kit/http'
import { attestationRoutes } from '../features/cps/attestation/attestation.routes.ts'
import { createAuthority } from '../features/cps/authority/authority.ts'
import { type DeviceDeps, deviceRoutes } from '../features/cps/devices/cps.routes.ts'
import { enrolmentRoutes } from '../features/cps/enrolment/enrolment.routes.ts'
import { createEnrolment } from '../features/cps/enrolment/enrolment.ts'
import type { Platform } from './area.ts'

const ANSWER_WITHIN_MS = 5 * 60_000

/** Devices: their certificates, and what they attest. */
export function composeCps(platform: Platform, { holdSite }: Pick<DeviceDeps, 'holdSite'>) {
  const { config, db, mode, sealing, operatorChange, internalWorkflow, readThrough } = platform
  const now = Date.now
  const authority = createAuthority({ db, sealing, now })
  const openAuthority = authority.open
  const enrolment = createEnrolment({
    ...{ openAuthority, mode, internalWorkflow, now },
    days: config.cps.certificateDays,
    broker: config.cps.devicesReach,
  })

  const shared = { db, now, operatorChange, readThrough }

  return {
    routes(api: Http) {
      deviceRoutes(api, { ...shared, holdSite, onRevoked: async () => {} })
      attestationRoutes(api, { ...shared, validMs: ANSWER_WITHIN_MS })
      enrolmentRoutes(api, { openAuthority, enrolment, now, operatorChange })
    },
  }
}
