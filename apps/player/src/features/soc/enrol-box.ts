import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from 'node:crypto'
import { AppError, invalid } from '@manara/kit/errors'
import type { SocEnrolBody } from '@manara/player-contract/soc'
import type { SocClient } from '../../ports/soc-client.ts'
import { Enrolled, type Enrolment, type SocFiles } from './soc-files.ts'

export type EnrolDeps = {
  files: SocFiles
  client: SocClient
  /** PKCS#10 as PEM. */
  certificateRequest(commonName: string, key: KeyObject): string
  hostname(): string
}

/** A key that never leaves the box, a certificate for it, and where the platform is. */
export async function enrolBox(deps: EnrolDeps, body: SocEnrolBody): Promise<Enrolment> {
  const { files } = deps
  const key = files.pendingKey(body.code) ?? newKey()
  files.keepPending(body.code, key)
  const csr = deps.certificateRequest(deps.hostname(), createPrivateKey(key))
  const reply = await ask(deps.client, body.soc, '/api/v1/cps/enrol', body.ca, {
    code: body.code,
    csr,
  })
  const wanted = body.ca_fingerprint?.toLowerCase()
  if (wanted !== undefined && wanted !== fingerprintOf(reply.ca)) {
    throw invalid('ca_fingerprint', 'the platform that answered has another authority')
  }
  const enrolment = { ...reply, soc: body.soc, key, ...(body.ca ? { soc_ca: body.ca } : {}) }
  refuseForeign(enrolment)
  files.keep(enrolment)
  return enrolment
}

/** With the same key: the request itself proves who asks. */
export async function renewBox(deps: EnrolDeps, before: Enrolment): Promise<Enrolment> {
  const csr = deps.certificateRequest(deps.hostname(), createPrivateKey(before.key))
  const reply = await ask(deps.client, before.soc, '/api/v1/cps/renew', before.soc_ca, { csr })
  const enrolment = { ...before, ...reply }
  refuseForeign(enrolment)
  deps.files.keep(enrolment)
  return enrolment
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

async function ask(
  client: SocClient,
  soc: string,
  path: string,
  ca: string | undefined,
  body: object,
) {
  const url = new URL(path, soc)
  let reply: Awaited<ReturnType<SocClient['post']>>
  try {
    reply = await client.post(url, Buffer.from(JSON.stringify(body)), { ca })
  } catch (error) {
    throw invalid('soc', `${url.host} does not answer: ${(error as Error).message}`)
  }
  if (reply.status >= 400) {
    const { detail } = (reply.body ?? {}) as { detail?: unknown }
    const said = typeof detail === 'string' ? detail.slice(0, 300) : `status ${reply.status}`
    throw new AppError(400, `${reply.status === 429 ? 'soc' : 'code'}: ${url.host} says: ${said}`)
  }
  const read = Enrolled.safeParse(reply.body)
  if (!read.success) throw invalid('soc', `${url.host} is not a platform that enrols devices`)
  return read.data
}

/** A certificate for another key would lock the box out without a word. */
function refuseForeign({ certificate, key }: Enrolment) {
  const isOwn = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
  if (!isOwn) throw invalid('soc', 'it answered with a certificate for another key')
}

const fingerprintOf = (pem: string) =>
  createHash('sha256').update(new X509Certificate(pem).raw).digest('hex')
