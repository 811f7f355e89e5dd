/** What `Hashes` mean: another way to make them needs another number. */
export const HASH_VERSION = 1

/** Of each id the two halves of its hash and the second at which it was taken in. */
export type Hashes = Uint32Array

type Taken = { id: string; received_at: number }

export function hashesOf(taken: readonly Taken[]): Hashes {
  const hashes = new Uint32Array(taken.length * 3)
  for (const [at, one] of taken.entries()) hashInto(hashes, one, at * 3)
  return hashes
}

/** As they are noted. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: Hashes) =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** The two halves of cyrb53; the second is never 0, which means an empty slot. */
export function hashInto(hash: Hashes, { id: text, received_at }: Taken, at: number) {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 2654435761)
    b = Math.imul(b ^ unit, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  hash[at] = a
  hash[at + 1] = b === 0 ? 1 : b
  hash[at + 2] = Math.max(0, Math.floor(received_at / 1000))
}
