import { deviceOfEvidence } from '@manara/attestation/topics'
import { AppError } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import { connect } from 'mqtt'
import type { BrokerEvents, OutgoingMessage } from '../../ports/device-broker.ts'

export type BrokerCredentials = { ca?: string; cert?: string; key?: string }

export type SessionOptions = {
  url: string
  events: Pick<BrokerEvents, 'onEvidence' | 'onSparkplug'>
  /** It may have been restarted, and have lost what it had taken. */
  onReconnected(): Promise<void>
  /** What could not be stored now may be stored later. */
  isTemporary(error: unknown): boolean
  log: Logger
}

export type Session = {
  isConnected(): boolean
  /** Resolves when the broker has taken it. */
  publish(message: OutgoingMessage): Promise<void>
  /** From the next connection on. */
  renew(credentials: BrokerCredentials): void
  end(): Promise<void>
}

/** The same at every start and in every process: the broker keeps answers for us while we are away. */
const CLIENT_ID = 'soc'
const PATIENCE_MS = 10_000
const TAKE_AGAIN_MS = 1_000
/** As the embedded broker takes them. */
const MOST_BYTES = 1024 * 1024

/** Our own session at a broker beside us. It takes what devices say, one after the other. */
export function beginSession(options: SessionOptions, credentials: BrokerCredentials): Session {
  const { url, events, log } = options
  const ending = Promise.withResolvers<never>()
  ending.promise.catch(() => {})
  let isEnding = false
  const client = connect(url, {
    ...credentials,
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
  client.on('connect', ({ sessionPresent }) => {
    const mayHaveLost = !isFirst || !sessionPresent
    client
      .subscribeAsync({ 'devices/+/attestation': { qos: 1 }, 'spBv1.0/#': { qos: 1 } })
      .then(() => (mayHaveLost ? options.onReconnected() : undefined))
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
        if (isEnding || client.stream !== line) throw error
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

  return {
    isConnected: () => client.connected,
    async publish({ topic, payload }) {
      // A client that is ended says nothing about what was under way.
      await Promise.race([client.publishAsync(topic, payload, { qos: 2 }), ending.promise])
    },
    renew: (fresh) => void Object.assign(client.options, fresh),
    async end() {
      isEnding = true
      ending.reject(new Error('the session at the broker has ended'))
      // Waiting for acknowledgements of a broker that is away would last for ever.
      await client.endAsync(true)
    },
  }
}
