import { again, BASE, GREATEST, LAST_LETTERS, LEAVING, LONG, mix, SHORT, WINDOW } from './grams.ts'

/** Each a power of two of bits. */
export type MarkBits = { short: Uint8Array; long: Uint8Array; middle: Uint8Array }

/** What `fold` makes of letters of one byte. */
const FOLDED = Uint8Array.from({ length: 128 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
)
const [DOT, COLON] = [0x2e, 0x3a]
/** Between the values of an event, and between the elements of a list. */
const [OUTER, INNER] = [0x1f, 0x1e]

/**
 * Sets the marks of texts that have only letters of one byte, where they stand: the same that
 * `marksOf` finds, which a test holds it to. With `areSeveral` a separator ends one text and begins
 * the next. It reads every letter that is stored, so it is one plain loop.
 */
export function markBytes(
  { short, long, middle }: MarkBits,
  heap: Uint8Array,
  from: number,
  to: number,
  areSeveral: boolean,
) {
  const shortMask = short.length * 8 - 1
  const longMask = long.length * 8 - 1
  let start = from
  let letters = 0
  let rolling = 0
  // The hashes of the last WINDOW runs, and the smallest of those before.
  let a = GREATEST
  let b = GREATEST
  let c = GREATEST
  let d = GREATEST
  let e = GREATEST
  let least = GREATEST
  let smallest = GREATEST
  // How many runs ago the smallest was.
  let age = 0
  // Where the last three separators of what may be an address stand.
  let first = -1
  let second = -1
  let third = -1
  for (let i = from; i < to; i++) {
    const unit = FOLDED[heap[i] as number] as number
    if (areSeveral && (unit === OUTER || unit === INNER)) {
      start = i + 1
      letters = 0
      rolling = 0
      least = GREATEST
      first = -1
      second = -1
      third = -1
      continue
    }
    const run = i - start

    letters = (letters << 8) | unit
    if (run >= SHORT - 1) {
      const at = mix(letters) & shortMask
      short[at >>> 3] = (short[at >>> 3] as number) | (1 << (at & 7))
    }

    rolling = (Math.imul(rolling, BASE) + unit) | 0
    if (run >= LONG) {
      rolling = (rolling - Math.imul(FOLDED[heap[i - LONG] as number] as number, LEAVING)) | 0
    }
    if (run >= LONG - 1) {
      a = b
      b = c
      c = d
      d = e
      e = mix(rolling)
      if (run >= LONG + WINDOW - 2) {
        age += 1
        if (run === LONG + WINDOW - 2 || age === WINDOW) {
          // The smallest has left the window: it is looked for among all, the newest of equal ones.
          smallest = a
          age = 4
          if (b <= smallest) {
            smallest = b
            age = 3
          }
          if (c <= smallest) {
            smallest = c
            age = 2
          }
          if (d <= smallest) {
            smallest = d
            age = 1
          }
        }
        if (e <= smallest) {
          smallest = e
          age = 0
        }
        if (smallest !== least) {
          const at = smallest & longMask
          long[at >>> 3] = (long[at >>> 3] as number) | (1 << (at & 7))
          least = smallest
        }
      }
    }

    if (unit === DOT || unit === COLON) {
      first = second
      second = third
      third = i
    } else if (unit < 0x30 || (unit > 0x39 && unit < 0x61) || unit > 0x7a) {
      first = -1
      second = -1
      third = -1
    } else if (first > start && i - third <= LAST_LETTERS) {
      setTwice(middle, hashBytes(heap, first - 1, i + 1))
    }
  }
}

/** As `hashWhole` of the folded text. */
export function hashBytes(heap: Uint8Array, from: number, to: number): number {
  let hash = 0
  for (let i = from; i < to; i++) {
    hash = (Math.imul(hash, BASE) + (FOLDED[heap[i] as number] as number)) | 0
  }
  return mix(hash)
}

export function setTwice(bits: Uint8Array, hash: number) {
  set(bits, hash)
  set(bits, again(hash))
}

function set(bits: Uint8Array, hash: number) {
  const at = hash & (bits.length * 8 - 1)
  bits[at >>> 3] = (bits[at >>> 3] as number) | (1 << (at & 7))
}
