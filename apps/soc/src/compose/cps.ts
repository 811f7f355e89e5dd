import { unavailable } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import type { Meter } from '../core/metrics/meter.ts'
import { createWorkers } from '../db/worker.ts'
import { attestationRoutes } from '../features/cps/attestation/attestation.routes.ts'
import type { EvidenceDeps } from '../features/cps/attestation/evidence-deps.ts'
import { expireRequests } from '../features/cps/attestation/expire-requests.ts'
import { receiveEvidence } from '../features/cps/attestation/receive-evidence.ts'
import { scheduleRequests } from '../features/cps/attestation/schedule-requests.ts'
import { authorityRoutes } from '../features/cps/authority/authority.routes.ts'
import { createAuthority } from '../features/cps/authority/authority.ts'
import { createRevocations } from '../features/cps/authority/revocations.ts'
import { noLongerGood } from '../features/cps/broker/admit.ts'
import { createBrokerEvents } from '../features/cps/broker/broker-events.ts'
import { countRefused } from '../features/cps/broker/count-refused.ts'
import { type KeepOpening, keepOpening, whyNotOpen } from '../features/cps/broker/keep-opening.ts'
import { createPresence } from '../features/cps/broker/presence.ts'
import { relayRequests } from '../features/cps/broker/relay.ts'
import { type DeviceDeps, deviceRoutes } from '../features/cps/devices/cps.routes.ts'
import { devicesAt } from '../features/cps/devices/devices-at.ts'
import { enrolmentRoutes } from '../features/cps/enrolment/enrolment.routes.ts'
import { createEnrolment } from '../features/cps/enrolment/enrolment.ts'
import { estRoutes } from '../features/cps/enrolment/est.routes.ts'
import { createSparkplug } from '../features/cps/sparkplug/receive-sparkplug.ts'
import type { Platform } from './area.ts'
import { createOpenBroker, type OpenBroker } from './cps-broker.ts'

const POLL_MS = 1_000
const RELAY_GAP_MS = 20
const PRESENCE_MS = 200
const CERTIFICATES_MS = 5_000
const RETRY_MS = 5_000

type Needs = { meter: Meter } & Pick<DeviceDeps, 'holdSite'> &
  Pick<EvidenceDeps, 'raiseAlert' | 'firmwareOf'>

/** Devices: their certificates, their broker, and what they attest. */
export function composeCps(platform: Platform, needs: Needs) {
  const { config, database, db, mode, log, notifications, sealing } = platform
  const { operatorChange, internalWorkflow, readThrough } = platform
  const { raiseAlert, firmwareOf } = needs
  const now = Date.now
  const { listen, broker: external } = config.cps
  const authority = createAuthority({ db, sealing, now })
  const openAuthority = authority.open
  const enrolment = createEnrolment({
    ...{ openAuthority, mode, internalWorkflow, now },
    days: config.cps.certificateDays,
    broker: { url: external?.url ?? null, port: listen.port },
  })
  const revocations = createRevocations({ db, openAuthority, now })
  const sparkplug = createSparkplug({ internalWorkflow, seesConnections: !external })
  let opening: KeepOpening<OpenBroker> | undefined
  const broker = () => opening?.opened()?.broker

  // Devices are outside: they are asked, and listened to, in `real` alone.
  const isReady = () => mode.actsOutside && database.isAvailable()
  const workers = createWorkers({ isReady, log })
  const relay = workers.add({
    pass: () => relayRequests({ db, broker: broker(), now, log }),
    pollMs: POLL_MS,
    gapMs: RELAY_GAP_MS,
  })
  const presence = createPresence({ db, internalWorkflow, now })
  workers.add({ pass: presence.pass, pollMs: PRESENCE_MS, gapMs: PRESENCE_MS })
  const onSilent = (deviceId: string) => {
    if (external) presence.note(deviceId, 'offline')
  }
  workers.add({
    async pass() {
      const { asked, isMoreLeft } = await scheduleRequests({
        ...{ db, internalWorkflow, now },
        chance: Math.random,
      })
      if (asked > 0) relay.wake()
      return isMoreLeft
    },
    pollMs: POLL_MS,
    gapMs: POLL_MS,
  })
  workers.add({
    pass: () => expireRequests({ internalWorkflow, raiseAlert, log, now, onSilent }),
    pollMs: POLL_MS,
    gapMs: POLL_MS,
  })
  const events = createBrokerEvents({
    ...{ db, log, internalWorkflow, raiseAlert, presence, now },
    broker,
    wakeRelay: relay.wake,
    async receiveEvidence(deviceId, payload) {
      const deps = { internalWorkflow, raiseAlert, firmwareOf, now }
      const isAnswer = await receiveEvidence(deps, deviceId, payload)
      if (external && isAnswer) presence.note(deviceId, 'online')
    },
    receiveSparkplug: sparkplug.receive,
    countRefused: countRefused(needs.meter),
  })
  const certificates = workers.add({
    async pass() {
      const sessions = events.sessions()
      // Again and again: another process that starts on this database takes all of them for gone.
      for (const { deviceId } of sessions) presence.note(deviceId, 'online')
      const fingerprints = sessions.map(({ fingerprint }) => fingerprint)
      const bad = new Set(await noLongerGood(db, fingerprints, now()))
      for (const { deviceId, fingerprint } of sessions) {
        if (bad.has(fingerprint)) await broker()?.cut(deviceId)
      }
      await opening?.opened()?.onCertificates()
      return false
    },
    pollMs: CERTIFICATES_MS,
    gapMs: 0,
  })
  notifications.on('soc_cps', () => {
    relay.wake()
    certificates.wake()
  })

  const openBroker = createOpenBroker(platform, {
    ...{ events, openAuthority, revocations, presence, now },
    wakeRelay: relay.wake,
  })

  const shared = { db, now, operatorChange, readThrough }
  const area = {
    routes(api: Http) {
      deviceRoutes(api, {
        ...shared,
        holdSite: needs.holdSite,
        async onRevoked({ id }) {
          if (!mode.actsOutside) return
          await broker()?.cut(id)
          notifications.tell('soc_cps')
        },
      })
      attestationRoutes(api, {
        ...shared,
        wakeRelay() {
          relay.wake()
          notifications.tell('soc_cps')
        },
      })
      enrolmentRoutes(api, {
        ...{ openAuthority, enrolment, now, operatorChange },
        holdSite: needs.holdSite,
      })
      authorityRoutes(api, { db, openAuthority, revocations, now })
    },
    rootRoutes: (http: Http) => estRoutes(http, { openAuthority, enrolment }),
    devicesOf: (siteIds: string[], time: { from: Date; to: Date }) => devicesAt(db, siteIds, time),
    start: workers.start,
    /** Where devices connect, or why they cannot: it is tried again until they can. */
    async listenDevices(at: { port: number } = listen): Promise<string> {
      if (!mode.actsOutside) return `not in ${mode.name} mode`
      opening = keepOpening({
        async open() {
          if (!database.isAvailable()) throw unavailable('the database cannot be used')
          return openBroker(at.port)
        },
        explain: (error) => whyNotOpen(error, at.port),
        ...{ log, retryMs: RETRY_MS },
      })
      return opening.open()
    },
    async stop() {
      await opening?.stop()
      await workers.stop()
    },
  }
  return area
}
