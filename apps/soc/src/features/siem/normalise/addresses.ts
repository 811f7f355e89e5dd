const V6 = /^(?=.*:.*:)[0-9a-f:]{2,39}$/i

/**
 * An IP address as logs write it: with a port, in brackets, mapped into IPv6, the first of a list
 * as `X-Forwarded-For` is one; else undefined.
 */
export function addressOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length < 2) return undefined
  const comma = value.indexOf(',')
  return addressIn(comma === -1 ? value : value.slice(0, comma).trim())
}

function addressIn(value: string): string | undefined {
  if (value.length > 64) return undefined
  if (isV4(value)) return value
  const bare = value
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  if (isV4(bare)) return bare
  return V6.test(bare) ? bare.toLowerCase() : undefined
}

const DOT = 0x2e
const ZERO = 0x30

/** Four numbers up to 255 with dots between; of three digits the first is no zero. A pattern takes longer. */
export function isV4(text: string): boolean {
  if (text.length < 7 || text.length > 15) return false
  let dots = 0
  let digits = 0
  let number = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === DOT) {
      if (digits === 0) return false
      dots += 1
      digits = 0
      number = 0
      continue
    }
    const digit = code - ZERO
    if (digit < 0 || digit > 9) return false
    if (digits === 2 && number < 10) return false
    digits += 1
    number = number * 10 + digit
    if (number > 255) return false
  }
  return dots === 3 && digits > 0
}
