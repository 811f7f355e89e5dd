import { randomBytes } from 'node:crypto'
import { type Claims, signEvidence } from '@manara/attestation/evidence'
import { type AttestationRequest, parseRequest } from '@manara/attestation/request'
import { connect, type IClientOptions, type MqttClient } from 'mqtt'
import { type Identity, sha256 } from './identity.ts'

/** How a device behaves. Each but the first is something that the platform has to notice. */
export type Behaviour = 'honest' | 'tampered' | 'slow' | 'silent' | 'cloned' | 'replaying'

/** What outlives a start of the device, as its flash would. */
export type Memory = { bootCount: number; answered: Set<string>; lastEvidence?: Buffer }

export type SimulatedOptions = {
  identity: Identity
  address: { host: string; port: number }
  behaviour?: Behaviour
  memory?: Memory
  firmware?: Claims['firmware']
  slowMs?: number
  mqtt?: IClientOptions
  /** Each message on its topic of requests, repeats included. */
  onRequest?(request: AttestationRequest): void
  onAnswered?(request: AttestationRequest): void
}

export const FIRMWARE = { name: 'controller', version: '4.2.0', sha256: sha256('controller 4.2.0') }
const MEASURED = ['loader', 'kernel', 'configuration']

export type SimulatedDevice = Awaited<ReturnType<typeof startDevice>>

/** A device that runs until it is stopped: connects, takes requests and answers as it behaves. */
export function startDevice(options: SimulatedOptions) {
  const { identity, address, behaviour = 'honest', slowMs = 5_000 } = options
  const memory = options.memory ?? { bootCount: 0, answered: new Set() }
  memory.bootCount += 1
  const startedAt = Date.now()
  const bootSeed = randomBytes(16).toString('hex')
  let isTampered = behaviour === 'tampered'

  const { request_topic, evidence_topic } = identity.enrolled.mqtt
  const client = connect({
    protocol: 'mqtts',
    ...address,
    servername: 'localhost',
    ca: identity.enrolled.ca,
    cert: identity.enrolled.certificate,
    key: identity.keyPem,
    clientId: identity.deviceId,
    protocolVersion: 4,
    clean: false,
    reconnectPeriod: 250,
    connectTimeout: 10_000,
    ...options.mqtt,
  })
  client.on('error', () => {})
  const ready = subscribed(client)
  client.on('connect', () => void client.subscribe(request_topic, { qos: 2 }))
  client.on('message', (_topic, payload) => {
    const request = parseRequest(payload)
    if (!request) return
    options.onRequest?.(request)
    // The same request may come again after a crash: it is still one.
    if (memory.answered.has(request.id) || behaviour === 'silent') return
    memory.answered.add(request.id)
    if (behaviour === 'slow') setTimeout(() => answer(request), slowMs).unref()
    else answer(request)
  })

  function claimsFor(request: AttestationRequest): Claims {
    const changed = isTampered ? ' with something in it' : ''
    return {
      device_id: identity.deviceId,
      nonce: request.nonce,
      issued_at: new Date().toISOString(),
      firmware: options.firmware ?? FIRMWARE,
      measurements: MEASURED.map((name) => ({
        name,
        sha256: sha256(name === 'configuration' ? `${name}${changed}` : name),
      })),
      boot_count: memory.bootCount,
      boot_seed: bootSeed,
      uptime_s: Math.floor((Date.now() - startedAt) / 1_000),
      debug: false,
    }
  }

  function answer(request: AttestationRequest) {
    const { key, enrolled } = identity
    const isReplay = behaviour === 'replaying' && memory.lastEvidence
    const evidence = isReplay || signEvidence(claimsFor(request), key, enrolled.fingerprint)
    memory.lastEvidence ??= evidence
    client.publish(evidence_topic, evidence, { qos: 1 }, (error) => {
      if (!error) options.onAnswered?.(request)
    })
  }

  return {
    client,
    memory,
    identity,
    /** From now on something else is measured. */
    tamper() {
      isTampered = true
    },
    publish: (topic: string, payload: Buffer) => client.publishAsync(topic, payload, { qos: 1 }),
    sign: (request: AttestationRequest, change: Partial<Claims> = {}) =>
      signEvidence(
        { ...claimsFor(request), ...change },
        identity.key,
        identity.enrolled.fingerprint,
      ),
    ready,
    /** As when the power goes. */
    kill: () => client.endAsync(true),
    stop: () => client.endAsync(),
  }
}

function subscribed(client: MqttClient): Promise<void> {
  return new Promise((resolve) => {
    client.on('packetreceive', ({ cmd }) => {
      if (cmd === 'suback') resolve()
    })
  })
}
