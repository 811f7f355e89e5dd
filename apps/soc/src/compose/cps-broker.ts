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

export type OpenBroker = { broker: DeviceBroker; where: string; stop(): Promise<void> }

/** In this process, or the one of MQTT_URL: which of them is all that differs. */
export function createOpenBroker({ config, db, log }: Platform, needs: Needs) {
  const { listen, broker: external } = config.cps
  const { events, openAuthority, revocations, now } = needs

  async function openEmbedded(port: number): Promise<OpenBroker> {
    await needs.presence.reset()
    // Asked each time: a machine gets other addresses while it runs.
    const names = () => [...listen.names, ...(isAny(listen.host) ? ownAddresses() : [listen.host])]
    const certificate = async () => serverCertificate(await openAuthority(), names(), now())
    const tls = await certificate()
    const broker = await openEmbeddedBroker({
      ...{ host: listen.host, port, tls, events, networkOf, now },
    })
    // Long before it expires: the service may run for years.
    const renewal = setInterval(() => {
      certificate().then(broker.renewTls, (error) =>
        log.error({ err: error }, 'no new certificate'),
      )
    }, DAY_MS).unref()
    return {
      broker,
      where: `mqtts://${listen.host}:${broker.port}`,
      async stop() {
        clearInterval(renewal)
        await broker.stop()
      },
    }
  }

  async function openExternal(settings: NonNullable<typeof external>): Promise<OpenBroker> {
    const authority = await openAuthority()
    const publish = () => publishRevocations(revocations, settings, log)
    await publish()
    await sendAllAnew(db, 'published')
    const own =
      settings.certFile && settings.keyFile
        ? { cert: textOf(settings.certFile), key: textOf(settings.keyFile) }
        : await clientCertificate(authority, 'soc', OWN_DAYS, now())
    const broker = await openExternalBroker({
      ...{ url: settings.url, events, log, publishRevocations: publish },
      credentials: { ...own, ...(settings.caFile ? { ca: textOf(settings.caFile) } : {}) },
      onTaken: (message) => noteTaken(db, message),
      isTemporary,
      async onReconnected() {
        await sendAllAnew(db, 'delivered')
        needs.wakeRelay()
      },
      standInFor: (deviceId) => clientCertificate(authority, deviceId, STAND_IN_DAYS, now()),
    })
    // A list that has expired makes a broker refuse everybody.
    const renewal = setInterval(() => void publish().catch(() => {}), DAY_MS).unref()
    return {
      broker,
      where: settings.url.replace(/\/\/.*@/, '//'),
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
