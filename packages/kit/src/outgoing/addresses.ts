import { BlockList, isIP, isIPv4 } from 'node:net'

/** What an address is for that is not on the open internet. */
export type AddressKind =
  /** Or a metadata service, which tells a machine's secrets to whoever runs on it. */
  | 'link-local'
  | 'unspecified'
  | 'multicast'
  | 'broadcast'
  | 'private'
  /** For documentation, benchmarks and the future, and what carries an IPv4 address inside. */
  | 'reserved'
  | 'no address'

// The special-purpose registries of IANA (RFC 6890). The first kind that holds an address counts.
const NETWORKS: [kind: AddressKind, ...networks: string[]][] = [
  ['link-local', '169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128', '64:ff9b::a9fe:0/112'],
  ['unspecified', '0.0.0.0/8', '::/128'],
  ['multicast', '224.0.0.0/4', 'ff00::/8'],
  ['broadcast', '255.255.255.255/32'],
  ['private', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ['private', '::1/128', 'fc00::/7', 'fec0::/10'],
  ['reserved', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15'],
  ['reserved', '198.51.100.0/24', '203.0.113.0/24', '240.0.0.0/4'],
  ['reserved', '100::/64', '2001::/23', '2001:db8::/32', '3fff::/20'],
  ['reserved', '::/96', '::ffff:0:0:0/96', '64:ff9b:1::/48', '2002::/16'],
]

const LISTS = NETWORKS.map(([kind, ...networks]) => [kind, networkList(...networks)] as const)

const NAT64 = networkList('64:ff9b::/96')

/** Undefined for an address of the open internet. */
export function addressKind(address: string): AddressKind | undefined {
  if (isIP(address) === 0) return 'no address'
  const kind = LISTS.find(([, list]) => isIn(list, address))?.[0]
  if (kind || !isIn(NAT64, address)) return kind
  // So the networks that have only IPv6 spell addresses of IPv4; there are no private ones behind.
  return addressKind(ipv4Within(address)) && 'reserved'
}

/** The last 32 bits, which the URL parser always spells as two numbers. */
function ipv4Within(address: string): string {
  const groups = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1).split(':') ?? []
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number(`0x${group || 0}`))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Networks such as `10.0.0.0/8`. */
export function networkList(...networks: string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return list
}

/** An IPv4 address written as an IPv6 one (::ffff:10.0.0.1) counts as what it is. */
export const isIn = (list: BlockList, address: string): boolean =>
  list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
