import { domainToUnicode } from 'node:url'
import type { PatternPart, Query } from '@manara/log-query/ast'
import { parseIpv4, parseIpv6 } from './domain/ip-address.ts'
import { hostOf, type Indicator } from './domain/normalise.ts'

/** Finds all that can match, in any field and spelling, and maybe more: the matcher decides. */
export function queryFor({ type, value }: Indicator): Query {
  if (type === 'cidr' || (type === 'ip' && value.includes(':'))) return inNetwork(value)
  if (type !== 'url' && type !== 'domain' && type !== 'email') return text(value)
  // The path of a URL may be spelled in several ways, its host in ASCII or as people read it.
  const sought = type === 'url' ? (hostOf(value) ?? value) : value
  const host = sought.slice(sought.lastIndexOf('@') + 1)
  const local = sought.slice(0, sought.length - host.length)
  const spellings = new Set([sought, local + (domainToUnicode(host) || host)])
  return anyOf([...spellings].map((name) => text(name)))
}

const text = (...parts: PatternPart[]): Query => ({
  kind: 'text',
  match: { kind: 'pattern', parts },
})

const anyOf = (queries: Query[]): Query =>
  queries.length === 1 ? (queries[0] as Query) : { kind: 'or', queries }

/** Where an address is read as one, and wherever else there is a text that begins like it. */
function inNetwork(value: string): Query {
  const [address = '', length] = value.split('/')
  const isV6 = address.includes(':')
  const bits = Number(length ?? 128)
  const match = { kind: 'cidr', network: `${address}/${bits}` } as const
  return anyOf([
    { kind: 'field', field: 'src_ip', match },
    { kind: 'field', field: 'dst_ip', match },
    ...(isV6
      ? [text(...beginningOfV6(address, bits))]
      : beginningsOfV4(address, bits).map((one) => text(one))),
  ])
}

/** `172.16.0.0/12`: `172.16.`, `172.17.` … `172.31.`; the last of the four is left to the matcher. */
function beginningsOfV4(address: string, bits: number): string[] {
  if (bits === 32) return [address]
  const octets = Math.min(3, Math.ceil(bits / 8))
  const amount = 2 ** Math.max(0, octets * 8 - bits)
  const first = Math.floor((parseIpv4(address) ?? 0) / 2 ** (32 - octets * 8))
  return Array.from({ length: amount }, (_, more) => {
    const shifts = Array.from({ length: octets }, (_, at) => (octets - 1 - at) * 8)
    return shifts.map((shift) => `${((first + more) >>> shift) & 255}.`).join('')
  })
}

/** Zeros may be left out or filled up; the groups before the first of them stand in every spelling. */
function beginningOfV6(address: string, bits: number): PatternPart[] {
  const groups = (parseIpv6(address) ?? []).slice(0, Math.min(7, Math.floor(bits / 16)))
  const zero = groups.indexOf(0)
  const fixed = zero < 0 ? groups : groups.slice(0, zero)
  if (fixed.length === 0) return [address]
  return fixed.flatMap((group, at) => [
    ...(at === 0 ? [] : [{ any: 'run' } as const]),
    `${group.toString(16)}:`,
  ])
}
