/** ASN.1 values as DER (X.690): a tag, a length and the content. */
export function der(tag: number, ...content: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part as Buffer)))
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

export const sequence = (...content: Buffer[]) => der(0x30, ...content)
export const set = (...content: Buffer[]) => der(0x31, ...content)
export const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
export const integer = (bytes: Buffer) => der(0x02, bytes)
export const yes = der(0x01, Buffer.from([255]))
export const octets = (value: Buffer) => der(0x04, value)
export const utf8 = (text: string) => der(0x0c, text)
export const bits = (value: Buffer, unused = 0) => der(0x03, Buffer.from([unused]), value)

/** RFC 5280 wants two digits for the year until 2049. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '')
  return date.getUTCFullYear() < 2050 ? der(0x17, digits.slice(2)) : der(0x18, digits)
}

export const pem = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${bytes
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')}\n-----END CERTIFICATE-----\n`

/** The values one after the other, as far as they can be read: of what we wrote ourselves, all. */
export function parts(bytes: Buffer): { tag: number; content: Buffer }[] {
  const found: { tag: number; content: Buffer }[] = []
  let at = 0
  while (at + 2 <= bytes.length) {
    const first = bytes.readUInt8(at + 1)
    const more = first < 128 ? 0 : first & 0x7f
    const start = at + 2 + more
    if (start > bytes.length || more > 4) break
    const length = more === 0 ? first : bytes.readUIntBE(at + 2, more)
    found.push({ tag: bytes.readUInt8(at), content: bytes.subarray(start, start + length) })
    at = start + length
  }
  return found
}
