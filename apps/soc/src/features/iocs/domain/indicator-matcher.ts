import type { IocType } from '@manara/soc-contract/iocs'
import { createHashSet } from './hash-set.ts'
import { hashNetwork, hashRange, last } from './indicator-hash.ts'
import {
  formatIpv4,
  formatIpv6,
  mappedIpv4,
  maskIpv4,
  maskIpv6,
  parseIpv4,
  parseIpv6,
} from './ip-address.ts'
import { domain, type Indicator, url, withoutScheme } from './normalise.ts'

export type Matcher = {
  add(indicator: Indicator): void
  /**
   * Calls back with each indicator that the text seems to hold: ask the database whether it is so.
   * `field` is the name of the field that the text comes from.
   */
  scan(text: string, found: (type: IocType, value: string) => void, field?: string): void
  size(): number
}

type Found = (type: IocType, value: string) => void

// What the characters of a token are, as bits: a token is classified by the bits it has.
const DIGIT = 1
const HEX = 2
const LETTER = 4
const DOT = 8
const DASH = 16
const AT = 32
const SIGN = 64
const WIDE = 128

const KINDS = new Uint8Array(128)
for (const char of '0123456789') KINDS[char.charCodeAt(0)] = DIGIT
for (const char of 'abcdefABCDEF') KINDS[char.charCodeAt(0)] = HEX
for (const char of 'ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ') KINDS[char.charCodeAt(0)] = LETTER
for (const char of '-_') KINDS[char.charCodeAt(0)] = DASH
for (const char of '+%') KINDS[char.charCodeAt(0)] = SIGN
KINDS['.'.charCodeAt(0)] = DOT
KINDS['@'.charCodeAt(0)] = AT

const SHORTEST = 4
const LONGEST = 320
const MOST_LABELS = 12
const SHORTEST_HASH = 32
const HASHES: Record<number, IocType> = { 32: 'md5', 40: 'sha1', 64: 'sha256' }
/** `IMPHASH=`, `"imphash":"`, `Name='Imphash'>`: an import hash is as long as an MD5 and another thing. */
const LABELLED_IMPHASH = /imphash[^a-z0-9]{1,9}$/i
const LONGEST_LABEL = 16
const OF_IMPHASH = /imphash$/i
const IPV6 = /(?:[0-9a-f]{0,4}:){2,8}(?:\d+\.\d+\.\d+\.\d+|[0-9a-f]{1,4})?/gi
/** `addr:2001:db8::1`, `2001:db8::1: timed out`: a colon that belongs to the sentence. */
const LONE_COLON = /^:(?!:)|(?<!:):$/g
const CVES = /(?<![a-z0-9])cve-\d{4}-\d{4,19}(?![a-z0-9])/gi
const WIDE_MARKS = /[^\p{L}\p{N}\p{M}.@_+%-]+/u
const HAS_WIDE = /[^\p{ASCII}]/u
const URLS = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>\\^`{|}]{1,2048}/gi

/**
 * Goes by what an indicator must have (a dot, 32 hexadecimal digits, `cve-`) and looks closer only
 * there; no substring is made before the hash of it was found.
 */
export function createIndicatorMatcher(): Matcher {
  const hashes = createHashSet()
  const counts: Record<IocType, number> = {
    ip: 0,
    cidr: 0,
    domain: 0,
    url: 0,
    sha256: 0,
    sha1: 0,
    md5: 0,
    email: 0,
    cve: 0,
    imphash: 0,
  }
  const lengths = { v4: new Set<number>(), v6: new Set<number>() }
  let hasIpv6 = false
  let hasHashes = false

  function add({ type, value }: Indicator) {
    counts[type] += 1
    const v4 = type === 'cidr' ? parseIpv4(value.slice(0, value.indexOf('/'))) : undefined
    if (v4 === undefined) hashRange(type, value, 0, value.length)
    else hashNetwork(v4, bitsOf(value))
    hashes.add(last.high, last.low)
    if (type === 'imphash' || Object.values(HASHES).includes(type)) hasHashes = true
    if (type === 'cidr') lengths[v4 === undefined ? 'v6' : 'v4'].add(bitsOf(value))
    if (value.includes(':') && (type === 'ip' || type === 'cidr')) hasIpv6 = true
  }

  function isKnown(type: IocType, text: string, start = 0, end = text.length): boolean {
    hashRange(type, text, start, end)
    return hashes.has(last.high, last.low)
  }

  function scan(text: string, found: Found, field = '') {
    if (text.length < SHORTEST) return
    scanDots(text, found)
    if (text.length >= SHORTEST_HASH && hasHashes) scanHashes(text, found, field)
    if (counts.cve > 0) scanCves(text, found)
    if (hasIpv6 && text.includes(':')) scanIpv6(text, found)
    if (counts.url > 0 && text.includes('://')) scanUrls(text, found)
  }

  /** Addresses, names and mail all have a dot in them, and dots are found fast. */
  function scanDots(text: string, found: Found) {
    for (let dot = text.indexOf('.'); dot >= 0; ) {
      let start = dot
      let end = dot + 1
      let bits = DOT
      let dots = 1
      for (let kind = 0; start > 0; start -= 1) {
        kind = kindAt(text, start - 1)
        if (kind === 0) break
        bits |= kind
      }
      for (let kind = 0; end < text.length; end += 1) {
        kind = kindAt(text, end)
        if (kind === 0) break
        bits |= kind
        if (kind === DOT) dots += 1
      }
      if (end - start >= SHORTEST && end - start <= LONGEST) {
        token(text, start, end, bits, dots, found)
      }
      dot = text.indexOf('.', end)
    }
  }

  function token(t: string, from: number, to: number, all: number, dots: number, found: Found) {
    let start = from
    let end = to
    let inner = dots
    // A sentence ends with a dot, and a list begins with a dash.
    while (end > start && isEdge(t.charCodeAt(end - 1))) {
      end -= 1
      if (t.charCodeAt(end) === 46) inner -= 1
    }
    while (start < end && isEdge(t.charCodeAt(start))) {
      if (t.charCodeAt(start) === 46) inner -= 1
      start += 1
    }
    if (end - start < SHORTEST) return
    // `203.0.113.7->…`: the dash is no part of it.
    const bits = end - start < to - from ? kindsIn(t, start, end) : all
    if (bits & WIDE) return wide(t.slice(start, end), found)
    if (bits & AT) {
      // A mail address may begin with what is an edge elsewhere.
      if (from < start && counts.email > 0) report('email', t, from, end, found)
      return address(t, start, end, found)
    }
    if (bits & SIGN) return
    if (inner === 0) return
    if ((bits & ~(DIGIT | DOT)) === 0) {
      if (inner === 3) ipv4(t, start, end, found)
      return
    }
    if (counts.domain > 0) names(t, start, end, inner, found)
  }

  /** A run of 32 covers one of the places that are looked at. */
  function scanHashes(text: string, found: Found, field: string) {
    for (let at = SHORTEST_HASH - 1; at < text.length; at += SHORTEST_HASH) {
      if (!isHex(text, at)) continue
      let start = at
      let end = at + 1
      while (start > 0 && isHex(text, start - 1)) start -= 1
      while (end < text.length && isHex(text, end)) end += 1
      at = end - 1
      const looks = HASHES[end - start]
      const type = looks === 'md5' && isImphash(text, start, field) ? 'imphash' : looks
      if (type && counts[type] > 0 && !isLetter(text, start - 1) && !isLetter(text, end)) {
        report(type, text, start, end, found)
      }
    }
  }

  function scanCves(text: string, found: Found) {
    for (const [written] of /cve-/i.test(text) ? text.matchAll(CVES) : []) {
      report('cve', written, 0, written.length, found)
    }
  }

  function report(type: IocType, text: string, start: number, end: number, found: Found) {
    if (!isKnown(type, text, start, end)) return
    const value = text.slice(start, end)
    found(type, type === 'cve' ? value.toUpperCase() : value.toLowerCase())
  }

  function ipv4(text: string, start: number, end: number, found: Found) {
    if (counts.ip > 0) report('ip', text, start, end, found)
    if (lengths.v4.size === 0) return
    const address = readIpv4(text, start, end)
    if (address >= 0) networks4(address, found)
  }

  function networks4(address: number, found: Found) {
    for (const bits of lengths.v4) {
      const network = maskIpv4(address, bits)
      hashNetwork(network, bits)
      if (hashes.has(last.high, last.low)) found('cidr', `${formatIpv4(network)}/${bits}`)
    }
  }

  /** The name and each one above it, but for the last label. */
  function names(text: string, from: number, end: number, dots: number, found: Found) {
    let start = from
    for (let left = Math.min(dots, MOST_LABELS); left > 0; left -= 1) {
      report('domain', text, start, end, found)
      start = text.indexOf('.', start) + 1
    }
  }

  function address(text: string, start: number, end: number, found: Found) {
    const at = text.lastIndexOf('@', end - 1)
    if (at > start && counts.email > 0) report('email', text, start, end, found)
    scan(text.slice(at + 1, end), found)
  }

  /** Marks beyond ASCII, such as quotes and commas, end a word; letters are part of a name. */
  function wide(text: string, found: Found) {
    for (const part of text.split(WIDE_MARKS)) {
      if (!HAS_WIDE.test(part)) {
        if (part.length < text.length) scan(part, found)
        continue
      }
      const at = part.lastIndexOf('@')
      const name = domain(part.slice(at + 1))
      if (!name) continue
      const mail = `${part.slice(0, Math.max(0, at))}@${name}`
      if (at > 0 && counts.email > 0) report('email', mail, 0, mail.length, found)
      if (counts.domain > 0) names(name, 0, name.length, name.split('.').length - 1, found)
    }
  }

  function scanIpv6(text: string, found: Found) {
    for (const { 0: written, index } of text.matchAll(IPV6)) {
      if (written.length <= 2) continue
      // `src:2001:db8::1`: the end of a word is none of its groups.
      const own = isLetter(text, index - 1) ? written.slice(written.indexOf(':') + 1) : written
      const groups = parseIpv6(own.replace(LONE_COLON, ''))
      if (!groups || mappedIpv4(groups) !== undefined) continue
      const canonical = formatIpv6(groups)
      if (isKnown('ip', canonical)) found('ip', canonical)
      for (const bits of lengths.v6) {
        const network = `${formatIpv6(maskIpv6(groups, bits))}/${bits}`
        if (isKnown('cidr', network)) found('cidr', network)
      }
    }
  }

  function scanUrls(text: string, found: Found) {
    for (const [written] of text.matchAll(URLS)) {
      for (const spelled of [written, withoutMarks(written)]) {
        const value = url(spelled)
        if (value === undefined) continue
        const known = [value, withoutScheme(value)].filter((one) => isKnown('url', one))
        for (const one of known) found('url', one)
        if (known.length > 0) break
      }
    }
  }

  return { add, scan, size: hashes.size }
}

/** A sentence's marks at the end of an address; from the end on, since there may be many. */
function withoutMarks(text: string): string {
  let end = text.length
  while (end > 0 && ').,;:!?]'.includes(text[end - 1] as string)) end -= 1
  return text.slice(0, end)
}

const kindAt = (text: string, at: number) => {
  const code = text.charCodeAt(at)
  return code < 128 ? (KINDS[code] as number) : WIDE
}
function kindsIn(text: string, start: number, end: number): number {
  let bits = 0
  for (let at = start; at < end; at += 1) bits |= kindAt(text, at)
  return bits
}

const isHex = (text: string, at: number) => (kindAt(text, at) & (DIGIT | HEX)) !== 0
/** Outside of the text there is none. */
const isLetter = (text: string, at: number) => (kindAt(text, at) & LETTER) !== 0

const isImphash = (text: string, start: number, field: string) =>
  OF_IMPHASH.test(field) ||
  LABELLED_IMPHASH.test(text.slice(Math.max(0, start - LONGEST_LABEL), start))

const bitsOf = (network: string) => Number(network.slice(network.indexOf('/') + 1))

const isEdge = (code: number) => code === 46 || code === 45

/** Digits and three dots are known to be there; -1 when a part is too large. */
function readIpv4(text: string, start: number, end: number): number {
  let address = 0
  let part = 0
  for (let at = start; at <= end; at += 1) {
    const code = at < end ? text.charCodeAt(at) : 46
    if (code !== 46) part = part * 10 + code - 48
    else if (part > 255) return -1
    else {
      address = address * 256 + part
      part = 0
    }
  }
  return address
}
