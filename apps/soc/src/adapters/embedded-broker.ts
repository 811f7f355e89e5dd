import type { TLSSocket } from 'node:tls'
import { createQueue } from '@manara/kit/queue'
import { Aedes, type Client } from 'aedes'
import mqttPacket from 'mqtt-packet'
import type {
  Admitted,
  BrokerEvents,
  BrokerSession,
  DeviceBroker,
  OutgoingMessage,
  Subscription,
} from '../ports/device-broker.ts'
import { type DeviceServerOptions, openDeviceServer } from './embedded-broker/device-server.ts'
import { createSessionMemory, type LiveSession } from './embedded-broker/session-memory.ts'
import {
  isSparkplug,
  mayPublish,
  maySubscribe,
  takesRequests,
} from './embedded-broker/topic-access.ts'
import { createTwoSessionsWatch } from './embedded-broker/two-sessions.ts'

export type EmbeddedBrokerOptions = Omit<DeviceServerOptions, 'onLine' | 'onRefused'> & {
  events: BrokerEvents
  now(): number
  /** For tests. */
  connectMs?: number
}

type Live = LiveSession & {
  admitted: Admitted
  client: Client
  filters: Set<string>
  /** What it says is taken in its order: aedes hands over all of a piece of the line at once. */
  inTurn: ReturnType<typeof createQueue>['run']
}

const CONNECT_MS = 10_000
// Aedes takes packets of a client that come before it is let in up to a number.
const QUEUE_LIMIT = 100
/** There is one topic on which something comes; more filters than this are no device's. */
const MOST_FILTERS = 20

/** A broker in this process: devices with a certificate of our authority, each with its own topics. */
export async function openEmbeddedBroker(options: EmbeddedBrokerOptions) {
  const { events, now } = options
  const lives = new Map<object, Live>()
  /** The newest of each device that can take messages. */
  const current = new Map<string, Live>()
  const watch = createTwoSessionsWatch<object>(now)
  /** By client id, which is all that aedes says when it looks for an earlier session. */
  const beginning = new Map<string, Live>()
  const liveOf = (client: object) => lives.get(client)
  /** Also of a connection that is gone: its will comes afterwards. */
  const everOf = new WeakMap<object, Live>()
  const socketOf = new WeakMap<object, TLSSocket>()

  const broker = await Aedes.createBroker({
    queueLimit: QUEUE_LIMIT,
    connectTimeout: options.connectMs ?? CONNECT_MS,
    persistence: createSessionMemory(
      (client) => liveOf(client) ?? beginning.get(client.id),
      events,
    ),

    authenticate(client, _username, _password, done) {
      admit(client).then(
        (isAdmitted) => done(null, isAdmitted),
        () => done(Object.assign(new Error('try again later'), { returnCode: 3 }), null),
      )
    },
    authorizeSubscribe(client, subscription, done) {
      const live = liveOf(client)
      const isOwn = live !== undefined && maySubscribe(live.admitted, subscription.topic)
      if (isOwn && live.filters.size < MOST_FILTERS) live.filters.add(subscription.topic)
      // MQTT 3.1.1 answers 128 for this one topic: the others stay.
      done(null, isOwn && live.filters.has(subscription.topic) ? subscription : null)
    },
    authorizePublish(client, packet, done) {
      const live = client && everOf.get(client)
      if (!live || !mayPublish(live.admitted, packet.topic)) {
        return done(new Error('a device publishes to its own topics only'))
      }
      // A will is spoken for it: that it comes says that the connection is over.
      if (!client.closed) heard(live)
      const payload = Buffer.from(packet.payload)
      // Acknowledged after this: what could not be stored is sent again by the device.
      live.inTurn(() => take(live, packet.topic, payload)).then(() => done(null), done)
    },
    // Nothing of one device goes to another; requests are written to their device directly.
    authorizeForward: () => null,
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
    const oddity = watch.begins(session.deviceId, session.clientId, client)
    // Who comes with the client id of another device takes nothing from it.
    client.id = `${admitted.deviceId} ${client.id}`
    const own = { filters: new Set<string>(), inTurn: createQueue().run }
    const live = { session, remembered, admitted, client, ...own }
    lives.set(client, live)
    everOf.set(client, live)
    beginning.set(client.id, live)
    if (oddity) events.onTwoSessions(session, oddity)
    return true
  }

  function take({ session }: Live, topic: string, payload: Buffer): Promise<void> {
    return isSparkplug(topic)
      ? events.onSparkplug(topic, payload)
      : events.onEvidence(session.deviceId, payload)
  }

  function heard({ session, client }: Live) {
    const oddity = watch.speaks(session.deviceId, client)
    if (oddity) events.onTwoSessions(session, oddity)
  }

  function become(client: Client) {
    const live = liveOf(client)
    if (!live) return
    current.set(live.session.deviceId, live)
    events.onReady(live.session)
  }

  broker.on('clientReady', become)
  broker.on('subscribe', (_subscriptions, client) => become(client))
  broker.on('unsubscribe', (topics, client) => {
    for (const topic of topics) liveOf(client)?.filters.delete(topic)
  })
  broker.on('ping', (_packet, client) => {
    const live = liveOf(client)
    if (live) heard(live)
  })
  broker.on('clientDisconnect', forget)
  broker.on('clientError', () => {})
  broker.on('connectionError', () => events.onRefused('no_connect'))

  function forget(client: object) {
    const live = liveOf(client)
    if (!live) return
    lives.delete(client)
    const { session, client: own } = live
    if (beginning.get(own.id) === live) beginning.delete(own.id)
    watch.ends(session.deviceId, client)
    if (current.get(session.deviceId) !== live) return
    // Another connection of the same device may be left.
    const left = [...lives.values()].findLast((one) => one.session.deviceId === session.deviceId)
    if (left) return become(left.client)
    current.delete(session.deviceId)
    events.onGone(session)
  }

  const closeBroker = () => new Promise<void>((resolve) => broker.close(resolve))

  const server = await openDeviceServer({
    ...options,
    onRefused: events.onRefused,
    onLine(line, socket) {
      const client = broker.handle(line)
      socketOf.set(client, socket)
      line.once('close', () => forget(client))
    },
  }).catch(async (error) => {
    await closeBroker()
    throw error
  })

  function write(message: OutgoingMessage, packet: (qos: 0 | 1 | 2) => mqttPacket.Packet) {
    const live = current.get(message.deviceId)
    const qos = live && grantedQos(live)
    if (!live || qos === undefined) throw new Error('the device is not connected')
    live.client.conn.write(mqttPacket.generate(packet(qos)))
    return { qos, session: live.session }
  }

  async function publish(message: OutgoingMessage, dup: boolean) {
    const { topic, payload, messageId } = message
    const { qos } = write(message, (granted) => ({
      ...{ cmd: 'publish', topic, payload, messageId, qos: granted },
      ...{ dup: dup && granted > 0, retain: false },
    }))
    // Nothing comes back for a message that the device asked to get without acknowledgement.
    if (qos === 0) await events.onDelivered(message.deviceId, messageId)
  }

  const embedded: DeviceBroker = {
    reachable: () =>
      [...current.values()].flatMap((live) =>
        grantedQos(live) === undefined ? [] : live.session.deviceId,
      ),
    send: (message) => publish(message, false),
    async sendAgain(message, phase) {
      if (phase === 'published') return publish(message, true)
      write(message, () => ({ cmd: 'pubrel', messageId: message.messageId }))
    },
    async cut(deviceId) {
      const closing = [...lives.values()]
        .filter(({ session }) => session.deviceId === deviceId)
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

function fingerprintOf(socket: TLSSocket): string | undefined {
  const { fingerprint256 } = socket.getPeerCertificate?.() ?? {}
  return fingerprint256?.replaceAll(':', '').toLowerCase()
}

/** Of the subscription that requests come through; undefined when there is none. */
function grantedQos({ client, session }: Live): 0 | 1 | 2 | undefined {
  const { subscriptions } = client as unknown as { subscriptions: Record<string, Subscription> }
  const granted = Object.entries(subscriptions)
    .filter(([filter]) => takesRequests(session.deviceId, filter))
    .map(([, { qos }]) => qos)
  return granted.length > 0 ? (Math.max(...granted) as 0 | 1 | 2) : undefined
}
