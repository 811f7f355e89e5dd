import type { IncomingMessage } from 'node:http'
import { bodyHash, isSignature, SIGNATURE_HEADERS } from '../adapters/edr-signature.ts'

const WINDOW_S = 300

/** Says what is wrong with a request, or nothing. A nonce is good once while its time is. */
export function createSignatureCheck(secret: string, now: () => number) {
  const nonces = new Map<string, number>()

  return (request: IncomingMessage, body: string): string | undefined => {
    const header = (name: string) => String(request.headers[name] ?? '')
    const timestamp = header(SIGNATURE_HEADERS.timestamp)
    const nonce = header(SIGNATURE_HEADERS.nonce)
    const seconds = Math.floor(now() / 1_000)
    if (!/^\d{1,12}$/.test(timestamp) || !/^[\w-]{16,64}$/.test(nonce)) return 'unsigned'
    if (Math.abs(seconds - Number(timestamp)) > WINDOW_S) return 'stale_timestamp'
    if (header(SIGNATURE_HEADERS.bodyHash) !== bodyHash(body)) return 'wrong_body_hash'
    const parts = { method: request.method ?? '', path: request.url ?? '', timestamp, nonce, body }
    if (!isSignature(secret, parts, header(SIGNATURE_HEADERS.signature))) return 'wrong_signature'
    for (const [known, until] of nonces) if (until < seconds) nonces.delete(known)
    if (nonces.has(nonce)) return 'replayed'
    nonces.set(nonce, seconds + 2 * WINDOW_S)
    return undefined
  }
}
