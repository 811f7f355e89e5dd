/** Where a literal has to stand in the value. */
type Place = { isStart: boolean; isEnd: boolean }

type Entry<T> = Place & { text: string; owners: T[]; gram: number; gramEnd: number }

/**
 * Finds which of many literals stand in a text, in one pass over it: every literal is filed under
 * its rarest four characters, and a bit per hash of four tells whether any literal has them. Literals
 * come and go at the price of themselves; there is nothing to rebuild.
 */
export type TextIndex<T> = {
  add(literal: Place & { text: string }, owner: T): void
  remove(literal: Place & { text: string }, owner: T): void
  /** Calls `found` with each owner of every literal in the text; of one literal at least once. */
  search(text: string, found: (owner: T) => void): void
  readonly size: number
}

const GRAM = 4
const HASH_BITS = 16
const HASH_MASK = 2 ** HASH_BITS - 1
const SHIFT = HASH_BITS / GRAM

export function createTextIndex<T>(): TextIndex<T> {
  /** By their text, so that no key is kept beside it; there may be one for each place. */
  const entries = new Map<string, Entry<T> | Entry<T>[]>()
  let size = 0
  const whole = new Map<string, Entry<T>>()
  const short = new Set<Entry<T>>()
  const grams = new Map<number, Entry<T>[]>()
  let longestWhole = 0
  /** A bit for every hash: small enough to stay close to the processor. */
  const hasGram = new Uint32Array(2 ** HASH_BITS / 32)

  const file = (entry: Entry<T>) => {
    if (entry.isStart && entry.isEnd) {
      whole.set(entry.text, entry)
      longestWhole = Math.max(longestWhole, entry.text.length)
    } else if (entry.text.length < GRAM) short.add(entry)
    else {
      const { hash, end } = rarestGram(entry.text, (gram) => grams.get(gram)?.length ?? 0)
      entry.gram = hash
      entry.gramEnd = end
      const bucket = grams.get(hash)
      if (bucket) bucket.push(entry)
      else grams.set(hash, [entry])
      hasGram[hash >>> 5] = (hasGram[hash >>> 5] ?? 0) | (1 << (hash & 31))
    }
  }
  const unfile = (entry: Entry<T>) => {
    if (entry.isStart && entry.isEnd) whole.delete(entry.text)
    short.delete(entry)
    const bucket = grams.get(entry.gram)?.filter((other) => other !== entry)
    if (!bucket) return
    grams.set(entry.gram, bucket)
    if (bucket.length > 0) return
    grams.delete(entry.gram)
    hasGram[entry.gram >>> 5] = (hasGram[entry.gram >>> 5] ?? 0) & ~(1 << (entry.gram & 31))
  }

  const entriesOf = (text: string): Entry<T>[] => {
    const known = entries.get(text)
    return known === undefined ? [] : [known].flat()
  }
  const find = ({ text, isStart, isEnd }: Place & { text: string }) =>
    entriesOf(text).find((entry) => entry.isStart === isStart && entry.isEnd === isEnd)
  const keep = (text: string, of: Entry<T>[]) => {
    if (of.length === 0) entries.delete(text)
    else entries.set(text, of.length === 1 ? (of[0] as Entry<T>) : of)
  }

  return {
    add(literal, owner) {
      const known = find(literal)
      if (known) {
        if (!known.owners.includes(owner)) known.owners.push(owner)
        return
      }
      const { text, isStart, isEnd } = literal
      const entry = { text, isStart, isEnd, owners: [owner], gram: -1, gramEnd: 0 }
      keep(text, [...entriesOf(text), entry])
      size += 1
      file(entry)
    },
    remove(literal, owner) {
      const entry = find(literal)
      if (!entry?.owners.includes(owner)) return
      entry.owners = entry.owners.filter((other) => other !== owner)
      if (entry.owners.length > 0) return
      keep(
        literal.text,
        entriesOf(literal.text).filter((other) => other !== entry),
      )
      size -= 1
      unfile(entry)
    },
    search(text, found) {
      // Looking up a text reads all of it: long ones are spared.
      const exact = text.length <= longestWhole ? whole.get(text) : undefined
      if (exact) tell(exact.owners, found)
      for (const entry of short) if (hasShort(text, entry)) tell(entry.owners, found)
      if (grams.size === 0) return
      let hash = 0
      for (let at = 0; at < text.length; at++) {
        hash = ((hash << SHIFT) ^ text.charCodeAt(at)) & HASH_MASK
        if ((((hasGram[hash >>> 5] ?? 0) >>> (hash & 31)) & 1) === 0) continue
        const bucket = grams.get(hash)
        if (!bucket) continue
        for (const entry of bucket) if (standsAt(text, entry, at)) tell(entry.owners, found)
      }
    },
    get size() {
      return size
    },
  }
}

function tell<T>(owners: T[], found: (owner: T) => void) {
  for (const owner of owners) found(owner)
}

function hasShort<T>(text: string, { text: literal, isStart, isEnd }: Entry<T>): boolean {
  if (isStart) return text.startsWith(literal)
  return isEnd ? text.endsWith(literal) : text.includes(literal)
}

/** `at` is the last character of the literal's gram. */
function standsAt<T>(text: string, entry: Entry<T>, at: number): boolean {
  const start = at - entry.gramEnd
  if (entry.isStart && start !== 0) return false
  if (entry.isEnd && start + entry.text.length !== text.length) return false
  return text.startsWith(entry.text, start)
}

/** Shifting lets go of everything before the last four characters. */
function rarestGram(
  text: string,
  countOf: (hash: number) => number,
): { hash: number; end: number } {
  let hash = 0
  let best = { hash: 0, end: 0, count: Number.POSITIVE_INFINITY }
  for (let end = 0; end < text.length; end++) {
    hash = ((hash << SHIFT) ^ text.charCodeAt(end)) & HASH_MASK
    if (end < GRAM - 1) continue
    const count = countOf(hash)
    if (count < best.count) best = { hash, end, count }
  }
  return best
}
