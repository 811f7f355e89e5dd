import type { BrokerOptions, BrokerSession, OpenBroker } from '../ports/message-broker.ts'
import { loadMqtt } from './load-mqtt.ts'

const TRY_AGAIN_MS = 5_000
const LONGEST_GOODBYE_MS = 1_000
const LARGEST_PAYLOAD = 4_096

/** The client is loaded at the first call: a box without a broker does not pay for it. */
export const createMqttBroker =
  (url: string, clientId: string): OpenBroker =>
  async ({ will, subscribe, ...options }: BrokerOptions): Promise<BrokerSession> => {
    const { connect } = await loadMqtt()
    const client = connect(url, {
      clientId,
      clean: true,
      reconnectPeriod: TRY_AGAIN_MS,
      // A broker that starts together with the box may refuse until it knows its users.
      reconnectOnConnackError: true,
      // What is told while the broker is away is told anew when it is back.
      queueQoSZero: false,
      will: { ...will, payload: Buffer.from(will.payload), qos: 1, retain: true },
    })
    client.on('connect', () => {
      options.onProblem(undefined)
      client.subscribe(subscribe, { qos: 1 }, (error) => {
        if (error) options.onProblem(`the broker refuses ${subscribe.join(', ')}`)
        else options.onConnect()
      })
    })
    // Without credentials: the address may hold a password.
    const where = new URL(url).host
    client.on('error', (error) => options.onProblem(`${where}: ${error.message || 'no answer'}`))
    client.on('offline', () => options.onProblem(`${where}: does not answer`))
    client.on('message', (topic, payload, { retain }) => {
      if (retain || payload.length > LARGEST_PAYLOAD) return
      options.onMessage({ topic, payload: payload.toString('utf8') })
    })

    return {
      async publish(topic, payload, { retain = false } = {}) {
        if (client.connected) await client.publishAsync(topic, payload, { qos: 1, retain })
      },
      async close() {
        if (client.connected) {
          const goodbye = client.publishAsync(will.topic, will.payload, { qos: 1, retain: true })
          await Promise.race([goodbye, later(LONGEST_GOODBYE_MS)]).catch(() => {})
        }
        await client.endAsync(true).catch(() => {})
      },
    }
  }

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref())
