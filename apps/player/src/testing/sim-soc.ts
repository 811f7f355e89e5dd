import {
  createHash,
  createPublicKey,
  type KeyObject,
  randomUUID,
  X509Certificate,
} from 'node:crypto'
import type { TestContext } from 'node:test'
import { readSignature } from '@manara/attestation/message-signature'
import { encodeRequest } from '@manara/attestation/request'
import { issueLeaf } from '../adapters/x509/issue.ts'
import { certificateRequest } from '../adapters/x509/request.ts'
import type { SocParts } from '../compose/soc.ts'
import type { DeviceBrokerOptions } from '../ports/device-broker.ts'
import { serve } from './local-server.ts'
import { selfSigned } from './self-signed.ts'

type Event = { id: string; event: string; message: string; timestamp?: string }

/** A platform as the box sees it: its HTTP routes, and a broker within the process. */
export async function simSoc(t: Pick<TestContext, 'after'>, now: () => number) {
  const device_id = randomUUID()
  const authority = selfSigned(['devices'])
  // The keys behind the requests: Node cannot read PKCS#10.
  const keys = new Map<string, KeyObject>()
  const events: Event[] = []
  const published: { topic: string; payload: Buffer }[] = []
  const state = { isAway: false, code: 'one-time', calls: [] as string[], renewed: 0 }
  let broker: DeviceBrokerOptions | undefined
  let certificate: X509Certificate | undefined

  function enrol(csr: string) {
    const key = keys.get(csr)
    if (!key) return { status: 400, body: { detail: 'csr: is not one' } }
    const owner = { commonName: device_id, key }
    const until = new Date(now() + 90 * 86_400_000)
    const pem = issueLeaf(owner, owner, ['device'], { from: new Date('2020-01-01'), until })
    certificate = new X509Certificate(pem)
    const fingerprint = createHash('sha256').update(certificate.raw).digest('hex')
    const renew_after = new Date(now() + 60 * 86_400_000).toISOString()
    const body = {
      ...{ device_id, certificate: pem, ca: authority.cert, serial: '01', fingerprint },
      ...{ not_after: until.toISOString(), renew_after },
      mqtt: {
        ...{ url: null, port: 8883, client_id: device_id },
        request_topic: `devices/${device_id}/attestation_request`,
        evidence_topic: `devices/${device_id}/attestation`,
      },
    }
    return { status: 201, body }
  }

  function answer(path: string, body: Buffer, headers: Parameters<typeof readSignature>[1]) {
    state.calls.push(path)
    const json = JSON.parse(body.toString('utf8'))
    if (path === '/api/v1/cps/enrol') {
      if (json.code !== state.code) return { status: 401, body: { detail: 'code: is not known' } }
      return enrol(json.csr)
    }
    if (path === '/api/v1/cps/renew') {
      state.renewed += 1
      return enrol(json.csr)
    }
    const read = readSignature({ method: 'POST', path, body }, headers)
    const isOwn = typeof read === 'object' && certificate && read.isSignedBy(certificate.publicKey)
    if (!isOwn) return { status: 401, body: { detail: 'signature: is not one of this device' } }
    events.push(...json.events)
    return { status: 200, body: { accepted: json.events.length, rejected: 0 } }
  }

  const url = await serve(t, async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (state.isAway) return request.socket.destroy()
    const { status, body } = answer(request.url ?? '', Buffer.concat(chunks), request.headers)
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })

  const parts: Partial<SocParts> = {
    certificateRequest(commonName, key) {
      const csr = certificateRequest(commonName, key)
      keys.set(csr, key)
      return csr
    },
    async openBroker(options) {
      broker = options
      options.onState(undefined)
      return {
        publish: async (topic, payload) => void published.push({ topic, payload }),
        close: async () => {
          broker = undefined
        },
      }
    },
  }

  return {
    ...{ url, device_id, events, published, state, parts },
    ca_fingerprint: createHash('sha256')
      .update(new X509Certificate(authority.cert).raw)
      .digest('hex'),
    publicKey: () => certificate?.publicKey ?? createPublicKey(authority.cert),
    broker: () => broker,
    ask(nonce: string, to: string = device_id) {
      const asked = {
        requested_at: new Date(now()).toISOString(),
        expires_at: '2030-01-01T00:00:00Z',
      }
      broker?.onMessage(encodeRequest({ id: randomUUID(), device_id: to, nonce, ...asked }))
    },
  }
}
