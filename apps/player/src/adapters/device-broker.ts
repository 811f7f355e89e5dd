import type { OpenDeviceBroker } from '../ports/device-broker.ts'
import { loadMqtt } from './load-mqtt.ts'

const TRY_AGAIN_MS = 5_000
const LARGEST_PAYLOAD = 16 * 1024

/** Loaded at the first call. The session is kept by the broker, so that a request waits for the box. */
export const openDeviceBroker: OpenDeviceBroker = async (options) => {
  const { connect } = await loadMqtt()
  const { url, clientId, key, cert, ca, subscribe } = options
  const client = connect(url, {
    ...{ clientId, key, cert, ca },
    clean: false,
    rejectUnauthorized: true,
    reconnectPeriod: TRY_AGAIN_MS,
    // One that refuses while its own database is away is asked again.
    reconnectOnConnackError: true,
  })
  const where = new URL(url).host
  client.on('connect', () => {
    client.subscribe(subscribe, { qos: 2 }, (error) =>
      options.onState(error ? `the broker refuses ${subscribe}` : undefined),
    )
  })
  client.on('error', (error) => options.onState(`${where}: ${error.message || 'no answer'}`))
  client.on('close', () => options.onState(`${where}: does not answer`))
  client.on('message', (_topic, payload) => {
    if (payload.length <= LARGEST_PAYLOAD) options.onMessage(payload)
  })
  return {
    async publish(topic, payload) {
      await client.publishAsync(topic, payload, { qos: 2 })
    },
    async close() {
      await client.endAsync(true).catch(() => {})
    },
  }
}
