import { isIP } from 'node:net'
import { hostname } from 'node:os'

/**
 * Whether a request was meant for this service. A page that makes its own name point at this machine
 * says that name in `Host`, so a name must be known; an address cannot be made to point elsewhere.
 */
export function createOwnHost(names: string[]) {
  const machine = hostname().toLowerCase()
  const known = new Set(['localhost', machine, `${machine}.local`, ...names.map(lower)])

  return ({ host, origin }: { host?: string | undefined; origin?: string | undefined }) => {
    const name = host && URL.parse(`http://${host}`)?.hostname
    if (!name || !(known.has(name) || isIP(name.replace(/^\[|\]$/g, '')) > 0)) return false
    // Programs send no origin; a page must be one of ours. The scheme may end in a proxy before us.
    return origin === undefined || URL.parse(origin)?.host === lower(host)
  }
}

const lower = (name: string) => name.toLowerCase()
