import type { TLSSocket } from 'node:tls'
import { Aedes, type Client } from 'aedes'
import type { BrokerEvents, BrokerSession, DeviceBroker } from '../ports/device-broker.ts'
import { type DeviceServerOptions, openDeviceServer } from './embedded-broker/device-server.ts'
import {
  createLiveSessions,
  type Live,
  type LiveSessions,
} from './embedded-broker/live-sessions.ts'
import { createSessionMemory } from './embedded-broker/session-memory.ts'
import { isSparkplug, mayPublish, maySubscribe } from './embedded-broker/topic-access.ts'
import { createRequestWriter } from './embedded-broker/write-requests.ts'

export type EmbeddedBrokerOptions = Omit<DeviceServerOptions, 'onLine' | 'onRefused'> & {
  events: BrokerEvents
  now(): number
  /** For tests. */
  connectMs?: number
}

const CONNECT_MS = 10_000
// Aedes takes packets of a client that come before it is let in up to a number.
const QUEUE_LIMIT = 100
/** There is one topic on which something comes; more filters than this are no device's. */
const MOST_FILTERS = 20

/** A broker in this process: devices with a certificate of our authority, each with its own topics. */
export async function openEmbeddedBroker(options: EmbeddedBrokerOptions) {
  const { events, now } = options
  const sessions = createLiveSessions(events, now)
  const socketOf = new WeakMap<object, TLSSocket>()

  const broker = await Aedes.createBroker({
    queueLimit: QUEUE_LIMIT,
    connectTimeout: options.connectMs ?? CONNECT_MS,
    persistence: createSessionMemory(sessions.orBeginning, events),
    authenticate(client, _username, _password, done) {
      admit(client).then(
        (isAdmitted) => done(null, isAdmitted),
        () => done(Object.assign(new Error('try again later'), { returnCode: 3 }), null),
      )
    },
    ...accessOf(sessions, events),
  })
  follow(broker, sessions, events)
  const closeBroker = () => new Promise<void>((resolve) => broker.close(resolve))

  const server = await openDeviceServer({
    ...options,
    onRefused: events.onRefused,
    onLine(line, socket) {
      const client = broker.handle(line)
      socketOf.set(client, socket)
      line.once('close', () => sessions.forget(client))
    },
  }).catch(async (error) => {
    await closeBroker()
    throw error
  })

  async function admit(client: Client): Promise<boolean> {
    const socket = socketOf.get(client)
    const fingerprint = socket && fingerprintOf(socket)
    const admitted = fingerprint && (await events.admit(fingerprint))
    if (!admitted) {
      events.onRefused('not_admitted')
      return false
    }
    const session: BrokerSession = {
      deviceId: admitted.deviceId,
      fingerprint,
      address: socket.remoteAddress?.replace(/^::ffff:/, '') ?? '',
      clientId: client.id,
      isKept: !(client as { clean?: boolean }).clean,
    }
    const remembered = await events.begin(session)
    // It hung up meanwhile: nobody would tell that it is gone.
    if (client.conn.destroyed) return false
    server.letIn(socket)
    sessions.enter(client, { session, remembered, admitted })
    return true
  }

  const embedded: DeviceBroker = {
    ...createRequestWriter(sessions, events),
    async cut(deviceId) {
      const closing = sessions
        .ofDevice(deviceId)
        .map(({ client }) => new Promise<void>((resolve) => client.close(resolve)))
      await Promise.all(closing)
    },
    async stop() {
      server.close()
      await closeBroker()
    },
  }
  return { ...embedded, port: server.port, renewTls: server.renewTls }
}

type Access = Required<
  Pick<
    NonNullable<Parameters<typeof Aedes.createBroker>[0]>,
    'authorizeSubscribe' | 'authorizePublish' | 'authorizeForward'
  >
>

/** What a device may subscribe to and say; what it says is taken here. */
function accessOf(sessions: LiveSessions, events: BrokerEvents): Access {
  const take = ({ session }: Live, topic: string, payload: Buffer): Promise<void> =>
    isSparkplug(topic)
      ? events.onSparkplug(topic, payload)
      : events.onEvidence(session.deviceId, payload)

  return {
    authorizeSubscribe(client, subscription, done) {
      const live = sessions.of(client)
      const isOwn = live !== undefined && maySubscribe(live.admitted, subscription.topic)
      if (isOwn && live.filters.size < MOST_FILTERS) live.filters.add(subscription.topic)
      // MQTT 3.1.1 answers 128 for this one topic: the others stay.
      done(null, isOwn && live.filters.has(subscription.topic) ? subscription : null)
    },
    authorizePublish(client, packet, done) {
      const live = client && sessions.ever(client)
      if (!live || !mayPublish(live.admitted, packet.topic)) {
        return done(new Error('a device publishes to its own topics only'))
      }
      // A will is spoken for it: that it comes says that the connection is over.
      if (!client.closed) sessions.heard(live)
      const payload = Buffer.from(packet.payload)
      // Acknowledged after this: what could not be stored is sent again by the device.
      live.inTurn(() => take(live, packet.topic, payload)).then(() => done(null), done)
    },
    // Nothing of one device goes to another; requests are written to their device directly.
    authorizeForward: () => null,
  }
}

function follow(broker: Aedes, sessions: LiveSessions, events: BrokerEvents) {
  broker.on('clientReady', sessions.become)
  broker.on('subscribe', (_subscriptions, client) => sessions.become(client))
  broker.on('unsubscribe', (topics, client) => {
    for (const topic of topics) sessions.of(client)?.filters.delete(topic)
  })
  broker.on('ping', (_packet, client) => {
    const live = sessions.of(client)
    if (live) sessions.heard(live)
  })
  broker.on('clientDisconnect', sessions.forget)
  broker.on('clientError', () => {})
  broker.on('connectionError', () => events.onRefused('no_connect'))
}

function fingerprintOf(socket: TLSSocket): string | undefined {
  const { fingerprint256 } = socket.getPeerCertificate?.() ?? {}
  return fingerprint256?.replaceAll(':', '').toLowerCase()
}
