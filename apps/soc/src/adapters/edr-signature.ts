import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type SignedParts = {
  method: string
  /** With the query, as in the request line. */
  path: string
  /** Seconds since 1970. */
  timestamp: string
  nonce: string
  body: string
}

export const SIGNATURE_HEADERS = {
  timestamp: 'x-edr-timestamp',
  nonce: 'x-edr-nonce',
  bodyHash: 'x-edr-content-sha256',
  signature: 'x-edr-signature',
} as const

export const bodyHash = (body: string) => createHash('sha256').update(body, 'utf8').digest('hex')

/** HMAC-SHA256 over the lines method, path, timestamp, nonce and hash of the body; hex. */
export function signatureOf(secret: string, parts: SignedParts): string {
  const { method, path, timestamp, nonce, body } = parts
  const signed = [method, path, timestamp, nonce, bodyHash(body)].join('\n')
  return createHmac('sha256', secret).update(signed, 'utf8').digest('hex')
}

export function isSignature(secret: string, parts: SignedParts, given: string): boolean {
  const expected = Buffer.from(signatureOf(secret, parts))
  const claimed = Buffer.from(given)
  return expected.length === claimed.length && timingSafeEqual(expected, claimed)
}
