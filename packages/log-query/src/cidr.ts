/**
 * A network as one regex over an address's text, so that every engine means the same by it. IPv4 is
 * dotted decimal without leading zeros, also in its IPv6 dress (`::ffff:10.0.0.1`); IPv6 is groups
 * of hexadecimal digits with `::` anywhere, in either case. A network in that dress
 * (`::ffff:10.0.0.0/104`) is the one of IPv4. Undefined when it is no network.
 */
export function cidrRegex(network: string): string | undefined {
  const [address = '', bits = '', ...rest] = network.split('/')
  if (rest.length > 0 || !/^(?:0|[1-9]\d{0,2})$/.test(bits)) return undefined
  const v4 = parseIpv4(address)
  if (v4) return Number(bits) <= 32 ? ipv4Regex(v4, Number(bits)) : undefined
  const v6 = parseIpv6(address)
  if (!v6 || Number(bits) > 128) return undefined
  const dressed = Number(bits) >= 96 ? mappedIpv4(v6) : undefined
  const regex = ipv6Regex(v6, Number(bits))
  return dressed ? `(?:${ipv4Regex(dressed, Number(bits) - 96)}|${regex})` : regex
}

/** The IPv4 address inside `::ffff:10.0.0.1`. */
function mappedIpv4(groups: number[]): number[] | undefined {
  if (groups[5] !== 0xffff || groups.slice(0, 5).some((group) => group !== 0)) return undefined
  return groups.slice(6).flatMap((group) => [group >>> 8, group & 255])
}

function parseIpv4(text: string): number[] | undefined {
  if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(text)) return undefined
  const octets = text.split('.').map(Number)
  return octets.every((octet) => octet <= 255) ? octets : undefined
}

const ANY_OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'

function ipv4Regex(octets: number[], bits: number): string {
  const parts = octets.map((octet, i) => octetRegex(octet, Math.max(0, Math.min(8, bits - 8 * i))))
  return `^(?:::[fF]{4}:)?${parts.join('[.]')}$`
}

function octetRegex(octet: number, bits: number): string {
  if (bits === 0) return ANY_OCTET
  if (bits === 8) return String(octet)
  const size = 2 ** (8 - bits)
  const first = octet - (octet % size)
  return `(?:${Array.from({ length: size }, (_, i) => first + i).join('|')})`
}

function parseIpv6(text: string): number[] | undefined {
  const [left = '', right, ...rest] = withoutDots(text).split('::')
  if (rest.length > 0) return undefined
  const head = groupsOf(left)
  const tail = groupsOf(right ?? '')
  if (!head || !tail) return undefined
  const missing = 8 - head.length - tail.length
  if (right === undefined ? missing !== 0 : missing < 1) return undefined
  return [...head, ...new Array<number>(missing).fill(0), ...tail]
}

/** The last two groups may be written as IPv4. */
function withoutDots(text: string): string {
  const start = text.lastIndexOf(':') + 1
  const v4 = start > 0 ? parseIpv4(text.slice(start)) : undefined
  if (!v4) return text
  const [a = 0, b = 0, c = 0, d = 0] = v4
  return `${text.slice(0, start)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

function groupsOf(text: string): number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined
  return groups.map((group) => Number.parseInt(group, 16))
}

const ANY_GROUP = '[0-9a-fA-F]{1,4}'

function ipv6Regex(groups: number[], bits: number): string {
  const regexes = groups.map((group, i) =>
    groupRegex(group, Math.max(0, Math.min(16, bits - 16 * i))),
  )
  const canBeZero = groups.map(
    (group, i) => group >>> (16 - Math.min(16, Math.max(0, bits - 16 * i))) === 0,
  )
  const forms = [regexes.join(':')]
  for (let left = 0; left <= 7; left++) {
    for (let right = 0; left + right <= 7; right++) {
      if (!canBeZero.slice(left, 8 - right).every(Boolean)) continue
      forms.push(`${regexes.slice(0, left).join(':')}::${regexes.slice(8 - right).join(':')}`)
    }
  }
  return `^(?:${forms.join('|')})$`
}

/** Four digits, of which leading zeros may be left out. */
function groupRegex(group: number, bits: number): string {
  if (bits === 0) return ANY_GROUP
  const digits = group.toString(16).padStart(4, '0')
  const nibbles = [...digits].map((digit, i) =>
    nibbleRegex(digit, Math.max(0, Math.min(4, bits - 4 * i))),
  )
  return `(?:${spellings(nibbles).join('|')})`
}

/** The digits in full, and shorter wherever the first ones may be zero. */
function spellings(nibbles: Nibble[]): string[] {
  const all: string[] = []
  for (let from = 0; from < 4; from++) {
    all.push(
      nibbles
        .slice(from)
        .map(({ regex }) => regex)
        .join(''),
    )
    if (!nibbles[from]?.canBeZero) break
  }
  return all
}

type Nibble = { regex: string; canBeZero: boolean }

function nibbleRegex(digit: string, bits: number): Nibble {
  const size = 2 ** (4 - bits)
  const value = Number.parseInt(digit, 16)
  const first = value - (value % size)
  const allowed = Array.from({ length: size }, (_, i) => (first + i).toString(16))
  const cases = allowed.map((hex) => (/[a-f]/.test(hex) ? hex + hex.toUpperCase() : hex)).join('')
  return { regex: cases.length === 1 ? cases : `[${cases}]`, canBeZero: first === 0 }
}
