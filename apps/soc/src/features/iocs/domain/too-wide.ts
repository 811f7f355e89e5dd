import { EMPTY_FILE } from '@manara/soc-contract/empty-file'
import type { IocType } from '@manara/soc-contract/iocs'
import { mappedIpv4, maskIpv4, maskIpv6, parseIpv4, parseIpv6 } from './ip-address.ts'
import { hostOf, type Indicator, normaliseIoc } from './normalise.ts'

type Network = { address: number | number[]; bits: number }

/** Lists of hijacked networks go up to /12; whole registries begin at /8 and, of IPv6, at /12. */
const WIDEST = { v4: 12, v6: 20 }
/** Of our own networks no more than one segment: a machine that was taken over is looked for too. */
const WIDEST_OWN = { v4: 24, v6: 64 }

const NOBODY = ['0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/4', '255.255.255.255/32']
const NOBODY_V6 = ['::/128', '::1/128', 'ff00::/8']
const OWN = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16']
const OWN_V6 = ['fc00::/7', 'fe80::/10']

const nobody = [...NOBODY, ...NOBODY_V6].map(networkOf)
const own = [...OWN, ...OWN_V6].map(networkOf)

/** Names under which countries give names away, and where addresses are looked up. */
const SUFFIX =
  /^(?:(?:ac|co|com|edu|go|gob|gouv|gov|gub|mil|ne|net|or|org|sch)\.[a-z]{2}|(?:in-addr|ip6)\.arpa)$/
const LOCAL = /^(?:.+\.)?localhost(?:\.localdomain)?$/

/** One that may be taken in, or the reason why not; what is looked for may be wider. */
export function newIndicator(given: string, type?: IocType): Indicator | string {
  const indicator = normaliseIoc(given, type)
  return typeof indicator === 'string' ? indicator : (tooWide(indicator) ?? indicator)
}

/** Why an indicator would match nearly everything, or nothing that it can mean; else nothing. */
export function tooWide({ type, value }: Indicator): string | undefined {
  if (type === 'ip' || type === 'cidr') return addressProblem(value)
  if (type === 'domain') return nameProblem(value)
  if (type === 'url') return hostProblem(hostOf(value) ?? '')
  return EMPTY_FILE.has(value) ? 'is the hash of every empty file' : undefined
}

function addressProblem(value: string): string | undefined {
  const network = networkOf(value)
  const family = typeof network.address === 'number' ? 'v4' : 'v6'
  if (network.bits < WIDEST[family]) {
    return `is too wide: a network has at least /${WIDEST.v4}, of IPv6 /${WIDEST.v6}`
  }
  if (nobody.some((one) => holds(one, network))) return 'is the address of no other machine'
  if (network.bits < WIDEST_OWN[family] && own.some((one) => holds(one, network))) {
    return `is too wide: a private network has at least /${WIDEST_OWN.v4}, of IPv6 /${WIDEST_OWN.v6}`
  }
  return undefined
}

function nameProblem(name: string): string | undefined {
  if (LOCAL.test(name)) return 'is the name of no other machine'
  return SUFFIX.test(name) ? 'is too wide: everybody has names below it' : undefined
}

/** Of a page only the host: an address matches it alone, however many pages there are. */
function hostProblem(host: string): string | undefined {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  const isAddress = parseIpv4(address) !== undefined || parseIpv6(address) !== undefined
  if (isAddress) return addressProblem(address)
  return LOCAL.test(host.replace(/\.+$/, '')) ? 'is the name of no other machine' : undefined
}

function networkOf(text: string): Network {
  const [address = '', bits] = text.split('/')
  const v4 = parseIpv4(address)
  if (v4 !== undefined) return { address: v4, bits: Number(bits ?? 32) }
  const v6 = parseIpv6(address) ?? []
  const mapped = mappedIpv4(v6)
  const length = Number(bits ?? 128)
  return mapped !== undefined && length >= 96
    ? { address: mapped, bits: length - 96 }
    : { address: v6, bits: length }
}

function holds(wide: Network, { address, bits }: Network): boolean {
  if (bits < wide.bits) return false
  if (typeof address === 'number') {
    return typeof wide.address === 'number' && maskIpv4(address, wide.bits) === wide.address
  }
  return String(maskIpv6(address, wide.bits)) === String(wide.address)
}
