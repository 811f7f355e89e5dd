import { BlockList, isIP } from 'node:net'
import { updateUrlProblem } from '@manara/player-contract/update-url'
import type { UpdateSource } from '../ports/update-source.ts'
import { type AddressRules, guardedGet, type Resolve } from './stream/guarded-get.ts'

export type UpdateSourceOptions = {
  /** Names or addresses of update servers in the owner's own network. */
  allow: readonly string[]
  /** Certificate that such a server is signed by. */
  ca?: string | undefined
  /** Bytes that an answer may announce. */
  limit: number
  resolve?: Resolve
}

const CONNECT_MS = 15_000
const TOTAL_MS = 30 * 60_000

/** Images come from the open internet, or from a server that the owner has named. */
export function createUpdateSource(options: UpdateSourceOptions): UpdateSource {
  const { allow, ca, limit, resolve } = options
  const rules: AddressRules = {
    urlProblem: updateUrlProblem,
    addressProblem: (address, host) =>
      allow.includes(host) ? undefined : privateAddressProblem(address),
  }

  return {
    async open(url) {
      const signal = AbortSignal.timeout(TOTAL_MS)
      const get = { signal, timeout_ms: CONNECT_MS, rules, ca, ...(resolve && { resolve }) }
      const { status, headers, body } = await guardedGet(url, get)
      const length = Number(headers['content-length'] ?? 0)
      const problem =
        status !== 200
          ? `the server answered ${status}`
          : length > limit
            ? `the image is larger than the ${limit >> 20} MiB this box takes`
            : undefined
      if (problem === undefined) return body
      body.destroy()
      throw new Error(problem)
    },
  }
}

// The special-purpose registries of IANA (RFC 6890): whatever is not reached over the open
// internet, and what carries such an address inside (NAT64, 6to4, Teredo).
const CLOSED = subnets(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32'],
  ...['2002::/16', '3fff::/20', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
)

/** Why no image is fetched from this address. Four-byte addresses in six-byte clothes count too. */
function privateAddressProblem(address: string): string | undefined {
  const family = isIP(address)
  const isClosed = family === 0 || CLOSED.check(address, family === 6 ? 'ipv6' : 'ipv4')
  return isClosed ? `${address} is not an address of the open internet` : undefined
}

function subnets(...nets: string[]): BlockList {
  const list = new BlockList()
  for (const net of nets) {
    const [address = '', bits] = net.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}
