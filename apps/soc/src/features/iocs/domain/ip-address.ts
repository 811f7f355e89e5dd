const OCTET = /^(?:0|[1-9]\d{0,2})$/

/** Dotted decimal without leading zeros, as an unsigned number. */
export function parseIpv4(text: string): number | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let address = 0
  for (const part of parts) {
    if (!OCTET.test(part) || Number(part) > 255) return undefined
    address = address * 256 + Number(part)
  }
  return address
}

export const formatIpv4 = (address: number) =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.')

/** Eight groups; the last two may be written as IPv4. */
export function parseIpv6(text: string): number[] | undefined {
  const [left = '', right, ...more] = withoutDots(text)?.split('::') ?? []
  if (more.length > 0 || text === '') return undefined
  const head = groupsOf(left)
  const tail = groupsOf(right ?? '')
  if (!head || !tail) return undefined
  const missing = 8 - head.length - tail.length
  if (right === undefined ? missing !== 0 : missing < 1) return undefined
  return [...head, ...new Array<number>(missing).fill(0), ...tail]
}

function withoutDots(text: string): string | undefined {
  const colon = text.lastIndexOf(':')
  if (colon < 0) return undefined
  if (!text.includes('.')) return text
  const v4 = parseIpv4(text.slice(colon + 1))
  if (v4 === undefined) return undefined
  return `${text.slice(0, colon + 1)}${(v4 >>> 16).toString(16)}:${(v4 & 0xffff).toString(16)}`
}

function groupsOf(text: string): number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return groups.map((group) => Number.parseInt(group, 16))
}

/** RFC 5952: lower case, the longest run of zero groups as `::`. */
export function formatIpv6(groups: number[]): string {
  let best = { at: -1, length: 1 }
  for (let at = 0; at < 8; at += 1) {
    let length = 0
    while (at + length < 8 && groups[at + length] === 0) length += 1
    if (length > best.length) best = { at, length }
  }
  const hex = groups.map((group) => group.toString(16))
  if (best.at < 0) return hex.join(':')
  return `${hex.slice(0, best.at).join(':')}::${hex.slice(best.at + best.length).join(':')}`
}

/** The IPv4 address inside `::ffff:192.0.2.1`. */
export function mappedIpv4(groups: number[]): number | undefined {
  const [g6 = 0, g7 = 0] = groups.slice(6)
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
    ? g6 * 65_536 + g7
    : undefined
}

export const maskIpv4 = (address: number, bits: number) =>
  bits === 0 ? 0 : (address & (0xffffffff << (32 - bits))) >>> 0

export const maskIpv6 = (groups: number[], bits: number) =>
  groups.map((group, index) => {
    const kept = Math.max(0, Math.min(16, bits - 16 * index))
    return group & ((0xffff << (16 - kept)) & 0xffff)
  })
