import { BlockList, isIP, isIPv4 } from 'node:net'

// Everything that is not a public unicast address: IANA's special-purpose registries.
const V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
// The last ones carry an IPv4 address inside, by which they could reach what is forbidden above.
const V6 = [
  '::/96',
  '100::/64',
  '2001:db8::/32',
  '3fff::/20',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
]

const forbidden = new BlockList()
for (const network of [...V4, ...V6]) addNetwork(forbidden, network)

export function isForbidden(address: string): boolean {
  // A mapped address is checked as the IPv4 address it is: BlockList does so by itself.
  return forbidden.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

/** Names, addresses and networks, each with a port if only that one is meant. */
export type Allowance = (host: string, port: number, address: string) => boolean

export function parseAllowance(entries: readonly string[]): Allowance {
  const rules = entries.map(ruleOf)
  return (host, port, address) => rules.some((rule) => rule(host, port, address))
}

function ruleOf(entry: string): Allowance {
  if (entry.includes('/')) {
    const list = new BlockList()
    addNetwork(list, entry)
    return (_host, _port, address) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  const [, name = '', only] =
    /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(entry) ? `[${entry}]` : entry) ?? []
  const wanted = name.toLowerCase()
  return (host, port, address) =>
    (host.toLowerCase() === wanted || address === wanted) && (!only || Number(only) === port)
}

function addNetwork(list: BlockList, network: string) {
  const [address = '', bits] = network.split('/')
  list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6')
}
