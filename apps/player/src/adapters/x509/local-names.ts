import { BlockList, isIP } from 'node:net'

// What the authority of a box may vouch for, whoever holds its key: names and addresses that lead to
// a different machine in every home.
export const LOCAL_NAMES = ['localhost', 'local', 'lan', 'home.arpa']
export const LOCAL_NETWORKS = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]

/** What an authority that is limited to these networks, and to local names, may vouch for. */
export function createVouchable(networks: readonly string[]) {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return (name: string): boolean => {
    const family = isIP(name)
    if (family !== 0) return list.check(name, family === 6 ? 'ipv6' : 'ipv4')
    return LOCAL_NAMES.some((ending) => name === ending || name.endsWith(`.${ending}`))
  }
}

/** The 4 or 16 bytes of an address. */
export function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string | undefined) => (text ? text.split(':') : [])
  const left = groups(head)
  const right = groups(tail)
  const zeros = new Array<string>(8 - left.length - right.length).fill('0')
  const all = [...left, ...zeros, ...right]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

/** An address and its mask, as name constraints have it. */
export function networkBytes(network: string): Buffer {
  const [address = '', bits] = network.split('/')
  const bytes = addressBytes(address)
  const mask = Buffer.from(
    bytes.map((_, i) => 0xff00 >> Math.max(0, Math.min(8, Number(bits) - 8 * i))),
  )
  const base = Buffer.from(bytes.map((byte, i) => byte & (mask[i] ?? 0)))
  return Buffer.concat([base, mask])
}

/** The other way round. */
export function networkOf(bytes: Buffer): string {
  const half = bytes.length / 2
  const bits = bytes
    .subarray(half)
    .reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
  const address = bytes.subarray(0, half)
  const text =
    half === 4 ? address.join('.') : (address.toString('hex').match(/.{4}/g) ?? []).join(':')
  return `${text}/${bits}`
}
