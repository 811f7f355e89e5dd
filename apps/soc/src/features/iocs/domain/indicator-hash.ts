import type { IocType } from '@manara/soc-contract/iocs'

/** Where the functions below leave their answer: an object a token would cost more than its hash. */
export const last = { high: 0, low: 0 }

// A seed a type, so that the types share one table.
const SEEDS: Record<IocType, number> = {
  ip: 1,
  cidr: 2,
  domain: 3,
  url: 4,
  sha256: 5,
  sha1: 6,
  md5: 7,
  email: 8,
  cve: 9,
  imphash: 10,
}

/** Of a part of the text; only in a URL does the case of a letter matter. */
export function hashRange(type: IocType, text: string, start: number, end: number) {
  const seed = SEEDS[type]
  const fold = type === 'url' ? 0 : 32
  // Two multipliers make two independent halves.
  let a = Math.imul(seed, 0x9e3779b1) ^ 0x811c9dc5
  let b = Math.imul(seed, 0x85ebca6b) ^ 0x1b873593
  for (let at = start; at < end; at += 1) {
    let code = text.charCodeAt(at)
    if (code > 64 && code < 91) code += fold
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x5bd1e995)
    b ^= b >>> 15
  }
  last.high = a ^ (a >>> 16)
  last.low = b
}

export function hashNetwork(address: number, bits: number) {
  const mixed = Math.imul(address ^ Math.imul(bits + 1, 0x9e3779b1), 0x85ebca6b)
  last.high = mixed ^ (mixed >>> 13)
  last.low = Math.imul(address + bits, 0xc2b2ae35) ^ bits
}
