const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/
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
  if (V4.test(value)) return value
  const bare = value
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  if (V4.test(bare)) return bare
  return V6.test(bare) ? bare.toLowerCase() : undefined
}
