import { tooMany } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { createRateLimiter, type RateClass } from '@manara/kit/rate-limit'
import type { ClientAddress } from './client-address.ts'
import type { TokenCheck } from './device-token.ts'

const CLASSES = {
  playback: { limit: 20, windowMs: 10_000 },
  poll: { limit: 300, windowMs: 10_000 },
  mutation: { limit: 60, windowMs: 10_000 },
  'ota upload': { limit: 2, windowMs: 60_000 },
  'ota pull': { limit: 2, windowMs: 60_000 },
  screenshot: { limit: 10, windowMs: 10_000 },
} satisfies Record<string, RateClass>

export type RateLimitDeps = { isOwner: TokenCheck; clientAddress: ClientAddress }

/**
 * Per client address and endpoint class; comes before the token, so guessing is slowed too. Who has
 * the token is counted apart: nobody who shares an address with the owner can lock the owner out.
 */
export function limitRates(http: Http, { isOwner, clientAddress }: RateLimitDeps) {
  const limiter = createRateLimiter(CLASSES)
  http.addHook('onRequest', async (request) => {
    const rateClass = classOf(request.method, request.routeOptions.url ?? '')
    const who = isOwner(request.headers) ? 'owner' : 'anyone'
    const verdict = limiter.take(rateClass, `${who} ${clientAddress(request.raw)}`)
    if (!verdict.allowed) throw tooMany(rateClass, verdict.retryAfterS)
  })
}

function classOf(method: string, url: string): keyof typeof CLASSES {
  if (url === '/api/debug/screenshot') return 'screenshot'
  if (method === 'GET' || method === 'HEAD') return 'poll'
  if (url === '/api/ota/upload') return 'ota upload'
  if (url === '/api/ota/pull') return 'ota pull'
  return url.startsWith('/api/playback/') ? 'playback' : 'mutation'
}
