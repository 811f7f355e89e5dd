import { BlockList, isIP } from 'node:net'

// A radio on the same machine or in the same house is normal, so loopback and private networks
// stay open. What is closed answers machines about themselves, or is no machine at all.
const closed: [reason: string, list: BlockList][] = [
  [
    'is link-local or a metadata service',
    subnets('169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128', '64:ff9b::a9fe:0/112'),
  ],
  ['is the unspecified address', subnets('0.0.0.0/8', '::/128')],
  ['is a multicast address', subnets('224.0.0.0/4', 'ff00::/8')],
  ['is the broadcast address', subnets('255.255.255.255/32')],
]

/** Why no connection may go to this IP address, or undefined when one may. */
export function addressProblem(address: string): string | undefined {
  const family = isIP(address)
  if (family === 0) return `${address} is not an address`
  const found = closed.find(([, list]) => list.check(address, family === 6 ? 'ipv6' : 'ipv4'))
  return found && `${address} ${found[0]}`
}

function subnets(...nets: string[]): BlockList {
  const list = new BlockList()
  for (const net of nets) {
    const [address = '', bits] = net.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}
