import { createHash, timingSafeEqual } from 'node:crypto'
import { unauthorized } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'

const PROTECTED_READS = new Set(['/api/rfid/cards', '/api/rfid/scan', '/api/debug/screenshot'])

/** Every mutation and three reads need the device token; everything else is public. */
export function isPublic(method: string, url: string): boolean {
  return (method === 'GET' || method === 'HEAD') && !PROTECTED_READS.has(url)
}

/** `token` is asked each time: a factory reset makes the old one worthless at once. */
export function requireDeviceToken(http: Http, token: () => string) {
  http.addHook('onRequest', async (request) => {
    if (request.is404 || isPublic(request.method, request.routeOptions.url ?? '')) return
    const given = /^bearer +(.*)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    // Digests have one length, so the comparison takes one time whatever was sent.
    if (!timingSafeEqual(digest(given), digest(token()))) {
      throw unauthorized('missing or wrong device token')
    }
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest()
