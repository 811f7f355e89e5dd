import type { IncomingHttpHeaders } from 'node:http'
import type { OwnNames } from './own-names.ts'

export type OriginCheckDeps = {
  own: Pick<OwnNames, 'includes'>
  /** `https://player.example.org` or a bare name, with a port if only that is meant. */
  allowed: readonly string[]
}

export type OriginCheck = (headers: IncomingHttpHeaders) => string | undefined

const FOREIGN = 'pages of other sites may not use this box'

/**
 * Why a request may not go on, or undefined. A browser says in `Host` which name it asked for and in
 * `Origin` whose page asks: a page elsewhere is refused by its origin, and a name elsewhere that was
 * pointed at this box (DNS rebinding) by its host. Programs that are no browsers send no origin.
 */
export function createOriginCheck({ own, allowed }: OriginCheckDeps): OriginCheck {
  const listed = allowed.map(parseAllowed)

  const isListed = ({ host, port, scheme }: Authority) =>
    listed.some(
      (entry) =>
        entry.host === host &&
        (entry.port === undefined || entry.port === port) &&
        (entry.scheme === undefined || scheme === undefined || entry.scheme === scheme),
    )

  return ({ host, origin, ...rest }) => {
    // Browsers always name the host; HTTP/1.0 programs need not.
    const asked = host === undefined ? undefined : parseAuthority(host)
    if (host !== undefined && (!asked || !(own.includes(asked.host) || isListed(asked)))) {
      return 'host: is no name or address of this box; PLAYER_ORIGINS lists further ones'
    }
    if (origin !== undefined) {
      const page = parseOrigin(origin)
      const isOurs = page && own.includes(page.host) && (!asked || page.port === asked.port)
      if (!isOurs && !(page && isListed(page))) {
        return `origin: ${FOREIGN}; PLAYER_ORIGINS lists those that may`
      }
      return undefined
    }
    // Images and scripts of other sites come without an origin, but say where they are from.
    const isEmbedded = rest['sec-fetch-mode'] !== 'navigate'
    return rest['sec-fetch-site'] === 'cross-site' && isEmbedded ? `origin: ${FOREIGN}` : undefined
  }
}

/** The port is empty where it is the one that goes without saying. */
type Authority = { host: string; port: string; scheme?: string }

function parseAuthority(text: string): Authority | undefined {
  return /[/\\?#@\s]/.test(text) ? undefined : authorityOf(URL.parse(`http://${text}`))
}

function parseOrigin(text: string): Authority | undefined {
  const url = /^https?:\/\//.test(text) ? URL.parse(text) : null
  const authority = authorityOf(url)
  return url && authority ? { ...authority, scheme: url.protocol } : undefined
}

function authorityOf(url: URL | null): Authority | undefined {
  if (!url || url.username || url.password) return undefined
  return {
    host: url.hostname.replace(/^\[|\]$|\.$/g, ''),
    // Behind a proxy the two ends may differ in their scheme, and so in what goes without saying.
    port: /^(80|443)$/.test(url.port) ? '' : url.port,
  }
}

/** A bare name means every port and both schemes; an origin means itself. */
function parseAllowed(entry: string) {
  const parsed = entry.includes('://') ? parseOrigin(entry) : parseAuthority(entry)
  const isBareName = parsed?.scheme === undefined && parsed?.port === ''
  return { ...parsed, port: isBareName ? undefined : parsed?.port }
}
