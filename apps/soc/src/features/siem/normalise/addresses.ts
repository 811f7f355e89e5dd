const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/
const V6 = /^(?=.*:.*:)[0-9a-f:]{2,39}$/i

/** An IP address as logs write it: with a port, in brackets, mapped into IPv6; else undefined. */
export function addressOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length < 2 || value.length > 64) return undefined
  if (V4.test(value)) return value
  const bare = value
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  if (V4.test(bare)) return bare
  return V6.test(bare) ? bare.toLowerCase() : undefined
}
