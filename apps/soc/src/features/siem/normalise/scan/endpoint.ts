import { addressOf } from '../addresses.ts'

/** One side of a connection as devices write it. */
export type Endpoint = {
  ip?: string | undefined
  port?: number | undefined
  /** The interface or zone before it, as in `outside:192.0.2.1/443`. */
  zone?: string | undefined
  /** A name in place of an address. */
  domain?: string | undefined
}

const LONGEST = 300

/**
 * `192.0.2.1:443`, `192.0.2.1/443`, `192.0.2.1(443)`, `192.0.2.1#443`, `[2001:db8::1]:443`, and
 * the interface before it, as in `outside:192.0.2.1/443` and `inside/192.0.2.1(443)`.
 */
export function endpointOf(text: string | undefined): Endpoint {
  if (!text || text.length > LONGEST) return {}
  const { rest, port } = splitPort(text)
  const ip = addressOf(rest)
  if (ip) return { ip, port }
  for (const separator of ['/', ':']) {
    const end = rest.indexOf(separator)
    const inner = end > 0 ? addressOf(rest.slice(end + 1)) : undefined
    if (inner) return { ip: inner, port, zone: rest.slice(0, end) }
  }
  const colon = rest.indexOf(':')
  if (colon > 0)
    return { domain: rest.slice(colon + 1) || undefined, port, zone: rest.slice(0, colon) }
  return { domain: rest || undefined, port }
}

function splitPort(text: string): { rest: string; port?: number | undefined } {
  if (text.endsWith(')')) {
    const open = text.lastIndexOf('(')
    if (open > 0) return { rest: text.slice(0, open), port: portOf(text.slice(open + 1, -1)) }
  }
  if (text.startsWith('[')) {
    const close = text.indexOf(']')
    if (close > 0) return { rest: text.slice(1, close), port: portOf(text.slice(close + 2)) }
  }
  const isBareV6 = text.indexOf(':') !== text.lastIndexOf(':') && addressOf(text) !== undefined
  if (isBareV6) return { rest: text }
  const cut = Math.max(text.lastIndexOf('/'), text.lastIndexOf(':'), text.lastIndexOf('#'))
  const port = cut > 0 ? portOf(text.slice(cut + 1)) : undefined
  return port === undefined ? { rest: text } : { rest: text.slice(0, cut), port }
}

function portOf(text: string | undefined): number | undefined {
  if (!text || text.length > 5) return undefined
  const port = Number(text)
  return Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : undefined
}
