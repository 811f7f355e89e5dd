import { createHmac } from 'node:crypto'

const PERIOD_MS = 30_000
/** A busy machine may take this long until it shows a code. */
const ON_ITS_WAY_MS = 15_000
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** An app that gives each code once (RFC 6238): the next is of a later step, within the window. */
export function createAuthenticator(secret: string) {
  const key = fromBase32(secret.replaceAll(' ', ''))
  let last = 0
  return {
    next(): string {
      last = Math.max(Math.floor((Date.now() + ON_ITS_WAY_MS) / PERIOD_MS) - 1, last + 1)
      const step = Buffer.alloc(8)
      step.writeBigUInt64BE(BigInt(last))
      const hash = createHmac('sha1', key).update(step).digest()
      const offset = (hash.at(-1) ?? 0) & 15
      const number = hash.readUInt32BE(offset) & 0x7fffffff
      return String(number % 1_000_000).padStart(6, '0')
    },
  }
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
