import { createHash, type KeyObject, sign, timingSafeEqual, verify } from 'node:crypto'

/**
 * A request over HTTP that a device signs with the key of its certificate: RFC 9421 with one fixed
 * list of what is covered, and RFC 9530 for the body.
 */
export type SignedHeaders = {
  'content-digest': string
  'signature-input': string
  signature: string
}

type Message = { method: string; path: string; body: Uint8Array }

const COVERED = '("@method" "@path" "content-digest")'
const INPUT =
  /^sig=\("@method" "@path" "content-digest"\);created=(\d{1,12});keyid="([0-9a-f]{64})";alg="ecdsa-p256-sha256"$/
const VALUE = /^sig=:([A-Za-z0-9+/]{1,200}={0,2}):$/

/** `fingerprint` is that of the certificate, in hex; `created` are Unix seconds. */
export function signMessage(
  message: Message,
  { key, fingerprint, created }: { key: KeyObject; fingerprint: string; created: number },
): SignedHeaders {
  const digest = digestOf(message.body)
  const parameters = `${COVERED};created=${created};keyid="${fingerprint}";alg="ecdsa-p256-sha256"`
  const base = baseOf(message, digest, parameters)
  const value = sign('sha256', base, { key, dsaEncoding: 'ieee-p1363' }).toString('base64')
  return {
    'content-digest': digest,
    'signature-input': `sig=${parameters}`,
    signature: `sig=:${value}:`,
  }
}

export type ReadSignature = {
  fingerprint: string
  created: number
  isSignedBy(publicKey: KeyObject): boolean
}

/** What is wrong with it, or whose it is said to be: that takes the key to tell. */
export function readSignature(
  message: Message,
  headers: Record<string, string | string[] | undefined>,
): ReadSignature | string {
  const digest = digestOf(message.body)
  const [, created, fingerprint] = INPUT.exec(String(headers['signature-input'] ?? '')) ?? []
  const [, value] = VALUE.exec(String(headers.signature ?? '')) ?? []
  if (!created || !fingerprint || !value) return 'signature: is missing, or covers something else'
  const said = Buffer.from(String(headers['content-digest'] ?? ''))
  const isSame = said.length === digest.length && timingSafeEqual(said, Buffer.from(digest))
  if (!isSame) return 'content-digest: is not that of the body'
  const parameters = String(headers['signature-input']).slice('sig='.length)
  const base = baseOf(message, digest, parameters)
  return {
    fingerprint,
    created: Number(created),
    isSignedBy: (key) =>
      verify('sha256', base, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(value, 'base64')),
  }
}

const digestOf = (body: Uint8Array) =>
  `sha-256=:${createHash('sha256').update(body).digest('base64')}:`

const baseOf = ({ method, path }: Message, digest: string, parameters: string) =>
  Buffer.from(
    [
      `"@method": ${method}`,
      `"@path": ${path}`,
      `"content-digest": ${digest}`,
      `"@signature-params": ${parameters}`,
    ].join('\n'),
  )
