import type { FoldedWords } from './folded-words.ts'
import { type Commonness, GRAM, gramsOf, hashOf } from './grams.ts'

/** Only every so manieth place of a text is looked at. */
export type Step = 1 | 2 | 4

/** The largest step at which no text of this length is passed over. */
export function stepFor(length: number): Step {
  if (length >= GRAM + 3) return 4
  return length > GRAM ? 2 : 1
}

/**
 * Literals by four of their characters. Each is filed as often as the step is long, under grams in a
 * row, so that one of them is met wherever it stands. A bit for every hash of a gram tells of most
 * places that nothing is filed there, before anything is looked up.
 */
export type GramTable<E> = {
  add(entry: E): void
  remove(entry: E): void
  /** Visits what may stand in the text, with the place where it would begin. */
  scan(text: FoldedWords, visit: (entry: E, start: number) => void): void
  readonly size: number
}

/** `offset` is where in the literal the gram begins. */
type Filed<E> = { entry: E; offset: number }

const BITS_PER_GRAM = 16
const LEAST_LOG2 = 8
/** 32 kB stay close to the processor. */
const MOST_LOG2 = 18

export function createGramTable<E extends { text: string; window: number }>(
  step: Step,
  commonness: Commonness,
): GramTable<E> {
  /** Most grams have one: a list for each would take more room than all else. */
  const buckets = new Map<number, Filed<E> | Filed<E>[]>()
  let size = 0
  let bits = new Uint32Array(2 ** LEAST_LOG2 / 32)
  let shift = 32 - LEAST_LOG2
  /** Bits that stand for no gram any more. */
  let stale = 0

  const mark = (gram: number) => {
    const hash = hashOf(gram, shift)
    bits[hash >>> 5] = (bits[hash >>> 5] ?? 0) | (1 << (hash & 31))
  }
  const markAll = () => {
    const wanted = Math.ceil(Math.log2(2 * BITS_PER_GRAM * (buckets.size + 1)))
    const log2 = Math.min(MOST_LOG2, Math.max(LEAST_LOG2, wanted))
    bits = new Uint32Array(2 ** log2 / 32)
    shift = 32 - log2
    stale = 0
    for (const gram of buckets.keys()) mark(gram)
  }
  const isCrowded = () => shift > 32 - MOST_LOG2 && buckets.size * BITS_PER_GRAM > bits.length * 32

  const filedAt = (gram: number): Filed<E>[] => {
    const filed = buckets.get(gram)
    return filed === undefined ? [] : [filed].flat()
  }
  const keep = (gram: number, filed: Filed<E>[]) => {
    if (filed.length === 0) buckets.delete(gram)
    else buckets.set(gram, filed.length === 1 ? (filed[0] as Filed<E>) : filed)
  }
  /** Where the rarest grams in a row begin. */
  const rarestWindow = (grams: number[]): number => {
    const costs = grams.map((gram) => 1 + commonness.of(gram) + filedAt(gram).length)
    let best = { at: 0, cost: Number.POSITIVE_INFINITY }
    for (let at = 0; at + step <= costs.length; at++) {
      const cost = costs.slice(at, at + step).reduce((sum, one) => sum + one, 0)
      if (cost < best.cost) best = { at, cost }
    }
    return best.at
  }
  const windowOf = (entry: E) => gramsOf(entry.text).slice(entry.window, entry.window + step)

  const visitAll = (gram: number, at: number, visit: (entry: E, start: number) => void) => {
    const filed = buckets.get(gram)
    if (filed === undefined) return
    if (Array.isArray(filed)) for (const { entry, offset } of filed) visit(entry, at - offset)
    else visit(filed.entry, at - filed.offset)
  }

  return {
    add(entry) {
      size += 1
      entry.window = rarestWindow(gramsOf(entry.text))
      for (const [at, gram] of windowOf(entry).entries()) {
        keep(gram, [...filedAt(gram), { entry, offset: entry.window + at }])
        if (isCrowded()) markAll()
        else mark(gram)
      }
    },
    remove(entry) {
      size -= 1
      for (const gram of windowOf(entry)) {
        const left = filedAt(gram).filter((filed) => filed.entry !== entry)
        keep(gram, left)
        if (left.length === 0) stale += 1
      }
      if (stale > buckets.size) markAll()
    },
    scan({ words, count }, visit) {
      const [table, by] = [bits, shift]
      for (let at = 0; at < count; at++) {
        const word = words[at] as number
        if (isMarked(table, by, word)) visitAll(word, 4 * at, visit)
        if (step === 4) continue
        const next = words[at + 1] as number
        const third = (word >>> 16) | (next << 16)
        if (isMarked(table, by, third)) visitAll(third, 4 * at + 2, visit)
        if (step === 2) continue
        const second = (word >>> 8) | (next << 24)
        if (isMarked(table, by, second)) visitAll(second, 4 * at + 1, visit)
        const fourth = (word >>> 24) | (next << 8)
        if (isMarked(table, by, fourth)) visitAll(fourth, 4 * at + 3, visit)
      }
    },
    get size() {
      return size
    },
  }
}

/** Of most grams it says at once that nothing is filed under them. */
function isMarked(bits: Uint32Array, shift: number, gram: number): boolean {
  const hash = hashOf(gram, shift)
  return (((bits[hash >>> 5] as number) >>> (hash & 31)) & 1) === 1
}
