/**
 * The marks that a text leaves in a filter, as hashes. They are chosen so that a text which stands
 * anywhere inside another leaves only marks that the other leaves too:
 * - short: every four letters in a row;
 * - long: of every WINDOW runs of LONG letters in a row the one with the smallest hash (minimizers),
 *   which leaves out two thirds of them: this finds a hash or a path;
 * - middle: `5.77.13.2`, `5.77.13.20` and `5.77.13.201` of 45.77.13.201, since addresses are short,
 *   many and alike.
 */
export type Marks = { short: Int32Array; long: Int32Array; middle: Int32Array; counts: Int32Array }

/** Where the counts of the three stand in `counts`. */
export const [SHORTS, LONGS, MIDDLES] = [0, 1, 2]

const SHORT = 4
const LONG = 8
const WINDOW = 5
const LAST_LETTERS = 3

const BASE = 0x01000193
const LEAVING = power(BASE, LONG)
const GREATEST = 0x7fffffff

function spaceFor(length: number): Marks & { units: Uint16Array; bytes: Buffer } {
  const units = new Uint16Array(length)
  return {
    units,
    bytes: Buffer.from(units.buffer),
    short: new Int32Array(length),
    long: new Int32Array(length),
    middle: new Int32Array(length),
    counts: new Int32Array(3),
  }
}

let space = spaceFor(1024)

/**
 * The marks of a folded text, good until the next call. It reads every letter that is stored, so it
 * is one plain loop over numbers: with functions to call in it, it took ten times as long.
 */
export function marksOf(text: string): Marks {
  if (text.length > space.short.length) space = spaceFor(2 * text.length)
  const { units, short, long, middle, counts } = space
  space.bytes.write(text, 'utf16le')
  const { length } = text
  let shorts = 0
  let longs = 0
  let middles = 0
  let letters = 0
  let rolling = 0
  // The hashes of the last WINDOW runs, and the smallest of those before.
  let a = GREATEST
  let b = GREATEST
  let c = GREATEST
  let d = GREATEST
  let e = GREATEST
  let least = GREATEST
  // Where the last three separators of what may be an address stand.
  let first = -1
  let second = -1
  let third = -1
  for (let i = 0; i < length; i++) {
    const unit = units[i] as number

    letters = (letters << 8) | ((unit ^ (unit >>> 8)) & 255)
    if (i >= SHORT - 1) short[shorts++] = mix(letters)

    rolling = (Math.imul(rolling, BASE) + unit) | 0
    if (i >= LONG) rolling = (rolling - Math.imul(units[i - LONG] as number, LEAVING)) | 0
    if (i >= LONG - 1) {
      a = b
      b = c
      c = d
      d = e
      e = mix(rolling)
      if (i >= LONG + WINDOW - 2) {
        const smallest = Math.min(a, b, c, d, e)
        if (smallest !== least) long[longs++] = smallest
        least = smallest
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
    } else if (first > 0 && i - third <= LAST_LETTERS) {
      middle[middles++] = hashBetween(text, first - 1, i + 1)
    }
  }
  counts[SHORTS] = shorts
  counts[LONGS] = longs
  counts[MIDDLES] = middles
  return space
}

const DOT = 0x2e
const COLON = 0x3a

export const hashWhole = (text: string) => hashBetween(text, 0, text.length)

function hashBetween(text: string, from: number, to: number): number {
  let hash = 0
  for (let i = from; i < to; i++) hash = (Math.imul(hash, BASE) + text.charCodeAt(i)) | 0
  return mix(hash)
}

/** The second bit of marks that have two. */
export const again = (hash: number) => Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)

function power(base: number, exponent: number): number {
  let result = 1
  for (let i = 0; i < exponent; i++) result = Math.imul(result, base)
  return result
}

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return mixed ^ (mixed >>> 15)
}
