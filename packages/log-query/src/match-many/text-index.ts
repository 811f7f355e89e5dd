import { fold } from '../fold.ts'
import { foldIntoWords } from './folded-words.ts'
import { createForeignLetters } from './foreign-letters.ts'
import { createGramTable, type GramTable, type Step, stepFor } from './gram-table.ts'
import { type Commonness, GRAM } from './grams.ts'
import { createPlainParts } from './plain-parts.ts'

/** A literal and where it has to stand in the value. */
type Placed = { text: string; isStart: boolean; isEnd: boolean }

type Entry<T> = Placed & {
  owners: T[]
  /** Where in the literal the grams begin under which it is filed. */
  window: number
  /** The text it was last found in: one text may have it a thousand times. */
  seen: number
}

/**
 * Finds which of many literals stand in a text, in one pass over it. Literals come and go at the
 * price of themselves.
 */
export type TextIndex<T> = {
  add(literal: Placed, owner: T): void
  remove(literal: Placed, owner: T): void
  /** Calls `found` with each owner of every literal in the text once it is folded. */
  search(text: string, found: (owner: T) => void): void
  /** False where nothing would be found in the text. */
  mayFindIn(text: string): boolean
  readonly size: number
}

/** To look for each of so few takes less than to look at every place of a text. */
const FEW = 6

export function createTextIndex<T>(commonness: Commonness): TextIndex<T> {
  /** By their text, so that no key is kept beside it; there may be one for each place. */
  const entries = new Map<string, Entry<T> | Entry<T>[]>()
  let size = 0
  const whole = new Map<string, Entry<T>>()
  let longestWhole = 0
  /** Too short for a gram; those beyond ASCII are not looked for in a text that has no such letter. */
  const short = new Set<Entry<T>>()
  const foreign = createForeignLetters<Entry<T>>()
  /** The longer ones, too, which are in the tables only for when there come more of them. */
  let few: Set<Entry<T>> | undefined = new Set()
  const tables = new Map<Step, GramTable<Entry<T>>>()
  const plain = createPlainParts()
  let searches = 0

  const tableOf = (entry: Entry<T>) => {
    const step = stepFor(entry.text.length)
    const table = tables.get(step) ?? createGramTable(step, commonness)
    tables.set(step, table)
    return table
  }
  const file = (entry: Entry<T>) => {
    plain.add(entry.text)
    if (entry.isStart && entry.isEnd) {
      whole.set(entry.text, entry)
      longestWhole = Math.max(longestWhole, entry.text.length)
    } else if (entry.text.length >= GRAM) {
      tableOf(entry).add(entry)
      few = few && few.size < FEW ? few.add(entry) : undefined
    } else if (isAscii(entry.text)) short.add(entry)
    else foreign.add(entry)
  }
  const unfile = (entry: Entry<T>) => {
    plain.remove(entry.text)
    if (entry.isStart && entry.isEnd) whole.delete(entry.text)
    else if (entry.text.length >= GRAM) {
      tableOf(entry).remove(entry)
      few?.delete(entry)
    } else if (isAscii(entry.text)) short.delete(entry)
    else foreign.remove(entry)
  }

  const entriesOf = (text: string): Entry<T>[] => {
    const known = entries.get(text)
    return known === undefined ? [] : [known].flat()
  }
  const find = ({ text, isStart, isEnd }: Placed) =>
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
      const entry = { text, isStart, isEnd, owners: [owner], window: 0, seen: 0 }
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
      if (!plain.mayStandIn(text)) return
      let folded: string | undefined
      if (text.length <= longestWhole) {
        folded = fold(text)
        const exact = whole.get(folded)
        if (exact) tell(exact, found)
      }
      if (short.size > 0 || (few && few.size > 0)) {
        folded ??= fold(text)
        for (const entry of short) if (stands(folded, entry)) tell(entry, found)
        if (few) for (const entry of few) if (stands(folded, entry)) tell(entry, found)
      }
      if (few && foreign.size === 0) return
      const words = foldIntoWords(text)
      searches += 1
      const visit = (entry: Entry<T>, start: number) => {
        if (entry.seen === searches) return
        folded ??= fold(text)
        if (!standsAt(folded, entry, start)) return
        entry.seen = searches
        tell(entry, found)
      }
      if (!few) for (const table of tables.values()) table.scan(words, visit)
      if (words.isAscii || foreign.size === 0) return
      folded ??= fold(text)
      foreign.scan(folded, visit)
    },
    mayFindIn: plain.mayStandIn,
    get size() {
      return size
    },
  }
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

function tell<T>({ owners }: Entry<T>, found: (owner: T) => void) {
  for (const owner of owners) found(owner)
}

function stands<T>(text: string, { text: literal, isStart, isEnd }: Entry<T>): boolean {
  if (isStart) return text.startsWith(literal)
  return isEnd ? text.endsWith(literal) : text.includes(literal)
}

function standsAt<T>(text: string, entry: Entry<T>, start: number): boolean {
  if (entry.isStart && start !== 0) return false
  if (entry.isEnd && start + entry.text.length !== text.length) return false
  return text.startsWith(entry.text, start)
}
