import { deviceOfEvidence } from '@manara/attestation/topics'
import { AppError } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import { connect, connectAsync, type IClientOptions } from 'mqtt'
import type { BrokerEvents, DeviceBroker, OutgoingMessage } from '../ports/device-broker.ts'

type BrokerCredentials = { ca?: string; cert?: string; key?: string }

export type ExternalBrokerOptions = {
  url: string
  credentials: BrokerCredentials
  events: Pick<BrokerEvents, 'onEvidence' | 'onSparkplug'>
  /** The broker has taken the message. */
  onTaken(message: OutgoingMessage): Promise<void>
  /** It may have been restarted, and have lost what it had taken. */
  onReconnected(): Promise<void>
  /** What could not be stored now may be stored later. */
  isTemporary(error: unknown): boolean
  /** Makes the broker refuse what is revoked. */
  publishRevocations(): Promise<void>
  /** A certificate with the name of the device, for the moment it takes to push it out. */
  standInFor(deviceId: string): Promise<BrokerCredentials>
  log: Logger
}

/** The same at every start: the broker keeps answers for us while we are away. */
const CLIENT_ID = 'soc'
const KICKS = 3
const KICK_MS = 1_000
const PATIENCE_MS = 10_000
const TAKE_AGAIN_MS = 1_000
/** As the embedded broker takes them. */
const MOST_BYTES = 1024 * 1024

/** A broker beside us: devices are known to it by their certificates, and to us by their answers. */
export async function openExternalBroker(options: ExternalBrokerOptions): Promise<DeviceBroker> {
  const { url, events, log } = options
  const ending = new AbortController()
  const client = connect(url, {
    ...options.credentials,
    clientId: CLIENT_ID,
    protocolVersion: 4,
    clean: false,
    reconnectPeriod: 1_000,
    connectTimeout: PATIENCE_MS,
  })
  // Called before a message is acknowledged.
  client.handleMessage = (packet, done) => {
    // Kept by the broker from before we listened: what is old now would count as a replay.
    if (packet.retain) return done()
    if (packet.payload.length > MOST_BYTES) {
      log.warn({ topic: packet.topic }, 'a message above 1 MB was left alone')
      return done()
    }
    takeSurely(packet.topic, Buffer.from(packet.payload)).then(() => done(), done)
  }
  let isFirst = true
  client.on('connect', () => {
    client
      .subscribeAsync({ 'devices/+/attestation': { qos: 1 }, 'spBv1.0/#': { qos: 1 } })
      .then(() => (isFirst ? undefined : options.onReconnected()))
      .catch((error) => log.warn({ err: error }, 'the broker refuses to tell what devices say'))
    log.info('connected to the broker of MQTT_URL')
    isFirst = false
  })
  client.on('error', (error) => log.warn({ err: error }, 'the broker of MQTT_URL refuses us'))
  client.on('offline', () => log.warn('the broker of MQTT_URL is away'))

  /**
   * A broker sends what it got no word about only after the line broke, and behind some of those
   * nothing at all: what can be stored later waits here, what never can is left alone.
   */
  async function takeSurely(topic: string, payload: Buffer) {
    const line = client.stream
    for (let tries = 1; ; tries += 1) {
      try {
        return await take(topic, payload)
      } catch (error) {
        if (!options.isTemporary(error)) {
          return log.error({ err: error, topic }, 'a message of a device was left alone')
        }
        // On a new line it comes again.
        if (ending.signal.aborted || client.stream !== line) throw error
        if (tries === 1) log.warn({ err: error }, 'messages of devices wait to be stored')
      }
      await new Promise((resolve) => setTimeout(resolve, TAKE_AGAIN_MS).unref())
    }
  }

  async function take(topic: string, payload: Buffer) {
    const deviceId = deviceOfEvidence(topic)
    if (!deviceId) return events.onSparkplug(topic, payload)
    await events.onEvidence(deviceId, payload).catch((error) => {
      if (!(error instanceof AppError && error.status === 404)) throw error
      // The broker lets in devices that are not ours: it must not send this for ever.
      log.warn({ device: deviceId }, 'an answer of an unknown device was left alone')
    })
  }

  /** A second connection with the same client id ends the first: every broker has to do this. */
  async function kick(deviceId: string) {
    const standIn = await options.standInFor(deviceId)
    const own: IClientOptions = { clientId: deviceId, clean: true, reconnectPeriod: 0 }
    const pushing = await connectAsync(url, {
      ...{ ...options.credentials, ...standIn, ...own },
      ...{ protocolVersion: 4, connectTimeout: PATIENCE_MS },
    })
    await pushing.endAsync()
  }

  /** It may have come back before the broker had read the new list. */
  async function kickAgain(deviceId: string) {
    for (let kicks = 1; kicks < KICKS && !ending.signal.aborted; kicks += 1) {
      await new Promise((resolve) => setTimeout(resolve, KICK_MS).unref())
      await kick(deviceId)
    }
  }

  const warn = (error: unknown) => log.error({ err: error }, 'a revoked device may be connected')

  return {
    reachable: () => (client.connected ? 'all' : []),
    async send(message) {
      await client.publishAsync(message.topic, message.payload, { qos: 2 })
      await options.onTaken(message)
    },
    // What was under way is sent again by the client itself.
    async sendAgain() {},
    async cut(deviceId) {
      await options.publishRevocations().catch(warn)
      await kick(deviceId).catch(warn)
      void kickAgain(deviceId).catch(warn)
    },
    async stop() {
      ending.abort()
      // Waiting for acknowledgements of a broker that is away would last for ever.
      await client.endAsync(true)
    },
  }
}
