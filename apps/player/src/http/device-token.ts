import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { unauthorized } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'

const PROTECTED_READS = new Set([
  '/api/backup',
  '/api/rfid/cards',
  '/api/rfid/scan',
  '/api/debug/screenshot',
  '/api/settings/soc',
])

/** Every mutation, five reads and all about learners need the device token; the rest is public. */
export function isPublic(method: string, url: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return !PROTECTED_READS.has(url) && !url.startsWith('/api/hifz/')
}

export type TokenCheck = (headers: IncomingHttpHeaders) => boolean

/** `token` is asked each time: a factory reset makes the old one worthless at once. */
export function createTokenCheck(token: () => string): TokenCheck {
  return ({ authorization = '' }) => {
    const given = /^bearer +(.*)$/i.exec(authorization)?.[1] ?? ''
    // Digests have one length, so the comparison takes one time whatever was sent.
    return timingSafeEqual(digest(given), digest(token()))
  }
}

export function requireDeviceToken(
  http: Http,
  isOwner: TokenCheck,
  onFailure: (request: IncomingMessage) => void,
) {
  http.addHook('onRequest', async (request, reply) => {
    if (request.is404 || isPublic(request.method, request.routeOptions.url ?? '')) return
    // What the owner alone may read stays in no browser's cache: learners, cards, a whole backup.
    reply.header('cache-control', 'no-store')
    if (isOwner(request.headers)) return
    reply.header('www-authenticate', 'Bearer')
    if (request.headers.authorization !== undefined) onFailure(request.raw)
    throw unauthorized('missing or wrong device token')
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest()
