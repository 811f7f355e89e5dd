import { readFileSync } from 'node:fs'
import { openEmbeddedBroker } from '../adapters/embedded-broker.ts'
import { openExternalBroker } from '../adapters/external-broker.ts'
import { networkOf } from '../core/identity/sign-in-places.ts'
import { isTemporary } from '../db/connection-failure.ts'
import type { Authority } from '../features/cps/authority/authority.ts'
import type { Revocations } from '../features/cps/authority/revocations.ts'
import {
  clientCertificate,
  ownAddresses,
  serverCertificate,
} from '../features/cps/authority/server-certificate.ts'
import { noteTaken, sendAllAnew } from '../features/cps/broker/outbox.store.ts'
import type { createPresence } from '../features/cps/broker/presence.ts'
import { publishRevocations } from '../features/cps/broker/publish-revocations.ts'
import { takeTurns } from '../features/cps/broker/take-turns.ts'
import type { BrokerEvents, DeviceBroker } from '../ports/device-broker.ts'
import type { Platform } from './area.ts'

const DAY_MS = 86_400_000
const OWN_DAYS = 397
const STAND_IN_DAYS = 1

type Needs = {
  events: BrokerEvents
  openAuthority(): Promise<Authority>
  revocations: Revocations
  presence: ReturnType<typeof createPresence>
  wakeRelay(): void
  now(): number
}

export type OpenBroker = {
  broker: DeviceBroker
  where: string
  /** Certificates may have ended since: by an enrolment, or at another process. */
  onCertificates(): Promise<void>
  stop(): Promise<void>
}

/** In this process, or the one of MQTT_URL: which of them is all that differs. */
export function createOpenBroker({ config, db, log, notifications }: Platform, needs: Needs) {
  const { listen, broker: external } = config.cps
  const { events, openAuthority, revocations, now } = needs
  const failed = (what: string) => (error: unknown) => log.error({ err: error }, what)

  async function openEmbedded(port: number): Promise<OpenBroker> {
    await needs.presence.reset()
    // Other processes of this database say again who is connected to them.
    notifications.tell('soc_cps')
    // Asked each time: a machine gets other addresses while it runs.
    const names = () => [...listen.names, ...(isAny(listen.host) ? ownAddresses() : [listen.host])]
    const certificate = async () => serverCertificate(await openAuthority(), names(), now())
    const tls = await certificate()
    const broker = await openEmbeddedBroker({
      host: listen.host,
      port,
      tls,
      events,
      networkOf,
      now,
    })
    // Long before it expires: the service may run for years.
    const renewal = setInterval(() => {
      certificate().then(broker.renewTls).catch(failed('no new certificate'))
    }, DAY_MS).unref()
    return {
      broker,
      where: `mqtts://${listen.host}:${broker.port}`,
      // It asks at every connect.
      async onCertificates() {},
      async stop() {
        clearInterval(renewal)
        await broker.stop()
      },
    }
  }

  async function openExternal(settings: NonNullable<typeof external>): Promise<OpenBroker> {
    const authority = await openAuthority()
    let published: string | undefined
    async function publish() {
      const state = await revocations.state()
      await publishRevocations(revocations, settings, log)
      published = state
    }
    await publish()
    const broker = await openExternalBroker({
      ...{ url: settings.url, events, log, isTemporary, publishRevocations: publish },
      credentials: async () => ({
        ...(settings.certFile && settings.keyFile
          ? { cert: textOf(settings.certFile), key: textOf(settings.keyFile) }
          : await clientCertificate(authority, 'soc', OWN_DAYS, now())),
        ...(settings.caFile ? { ca: textOf(settings.caFile) } : {}),
      }),
      inTurn: (begin) => takeTurns({ db, log, begin, name: 'the session at the broker' }),
      onBegin: () => sendAllAnew(db, 'published'),
      onTaken: (message) => noteTaken(db, message),
      async onReconnected() {
        await sendAllAnew(db, 'delivered')
        needs.wakeRelay()
      },
      standInFor: (deviceId) => clientCertificate(authority, deviceId, STAND_IN_DAYS, now()),
    })
    const renewal = setInterval(() => {
      // A list that has expired makes a broker refuse everybody.
      publish().catch(failed('no new list of revoked certificates'))
      broker.renewCredentials().catch(failed('no new certificate'))
    }, DAY_MS).unref()
    return {
      broker,
      where: settings.url.replace(/\/\/.*@/, '//'),
      async onCertificates() {
        if (settings.crlFile && published !== (await revocations.state())) await publish()
      },
      async stop() {
        clearInterval(renewal)
        await broker.stop()
      },
    }
  }

  return (port: number) => (external ? openExternal(external) : openEmbedded(port))
}

const textOf = (file: string) => readFileSync(file, 'utf8')
const isAny = (host: string) => host === '0.0.0.0' || host === '::'
