import { isIP } from 'node:net'
import type { networkInterfaces } from 'node:os'

export type OwnNamesDeps = {
  /** What the owner calls the box, and what the machine calls itself; asked anew each time. */
  hostnames(): readonly string[]
  interfaces: typeof networkInterfaces
}

export type OwnNames = ReturnType<typeof createOwnNames>

// Endings that only a home's own router or mDNS gives out: nobody can register a name below them.
const LOCAL_ENDINGS = ['', '.local', '.lan', '.home.arpa']

/** Under which names and addresses this box is reached. */
export function createOwnNames({ hostnames, interfaces }: OwnNamesDeps) {
  const names = () => [
    'localhost',
    ...new Set(
      hostnames().flatMap((name) => {
        // A machine may call itself by its full name; its first label is what mDNS announces.
        const full = name.toLowerCase()
        const [label = full] = full.split('.')
        return [full, ...LOCAL_ENDINGS.map((ending) => label + ending)]
      }),
    ),
  ]

  const addresses = () => [
    ...new Set(
      Object.values(interfaces()).flatMap((found) =>
        (found ?? []).map(({ address }) => address.replace(/%.*/, '').toLowerCase()),
      ),
    ),
  ]

  /** In which networks, none wider than a /16 or, of IPv6, a /48. */
  const networks = () => [
    ...new Set(
      Object.values(interfaces()).flatMap((found) =>
        (found ?? []).flatMap(({ cidr, family }) => {
          const [address, bits] = cidr?.replace(/%[^/]*/, '').split('/') ?? []
          const widest = family === 'IPv6' ? 48 : 16
          return address ? [`${address}/${Math.max(Number(bits), widest)}`] : []
        }),
      ),
    ),
  ]

  return {
    names,
    addresses,
    networks,
    /** `host` as a URL has it: lower case, IPv6 without brackets. */
    includes(host: string): boolean {
      if (isIP(host) === 0) return names().includes(host)
      return /^(127\.|::1$)/.test(host) || addresses().includes(host)
    },
  }
}
