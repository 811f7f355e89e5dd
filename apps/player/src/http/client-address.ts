import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

/**
 * Whose request it is. `X-Forwarded-For` counts only as far as every hop that wrote to it is a proxy
 * the owner trusts: anybody can send the header.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList()
  for (const network of trustedProxies) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (address: string) =>
    trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return ({ headers, socket }) => {
    let client = plain(socket.remoteAddress ?? '')
    const hops = String(headers['x-forwarded-for'] ?? '').split(',')
    while (hops.length > 0 && isIP(client) !== 0 && isTrusted(client)) {
      const before = plain((hops.pop() ?? '').trim())
      if (isIP(before) === 0) break
      client = before
    }
    return client
  }
}

/** A socket that listens on `::` sees IPv4 clients in the dress of IPv6. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase()
