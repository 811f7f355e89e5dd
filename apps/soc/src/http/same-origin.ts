import type { FastifyRequest } from 'fastify'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Browsers send cookies by themselves, so a change made with one must come from our own pages:
 * the browser says so in Sec-Fetch-Site, older ones in Origin. A request with neither is refused.
 */
export function cameFromOurPages(request: FastifyRequest): boolean {
  if (SAFE.has(request.method)) return true
  const { origin, host, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin') return false
  // Compared without the scheme: TLS may end in a proxy before us.
  if (origin !== undefined) return host !== undefined && URL.parse(origin)?.host === host
  return site === 'same-origin'
}

/**
 * Of who has no session yet, a program or a page. Browsers leave Sec-Fetch-Site out where there is no
 * https, and then say in Origin alone whose page it is.
 */
export function isFromOtherSite({ headers }: FastifyRequest): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && (host === undefined || URL.parse(origin)?.host !== host)
}
