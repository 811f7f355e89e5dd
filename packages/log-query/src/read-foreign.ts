import type { Query } from './ast.ts'
import { type Cursor, fail, LIST_RUN, take, VALUE_RUN } from './cursor.ts'
import { looksLikeField, NAME, nameOf, orText } from './foreign-names.ts'
import { anyOf } from './normalise.ts'
import { readFieldMatch, WITH_UNIT } from './read-match.ts'
import { readWorded } from './read-worded.ts'

/** What stands inside, in the language itself. */
type Inner = {
  /** `(a OR b)`, where every term is a value of the field. */
  group(field: string): Query
  /** Before each value of a list. */
  count(): void
}

/**
 * What other languages write for `field:value`. Log lines are full of the same signs, so the text
 * itself is looked for as well: whoever pasted it from a line finds the line.
 */
export function readForeign(cursor: Cursor, now: number, inner: Inner): Query | undefined {
  return (
    readAssigned(cursor, now, inner) ??
    readCompared(cursor, now) ??
    readListed(cursor, now, inner) ??
    readWorded(cursor, now)
  )
}

/** After a space: neither the next pair, as in `ruser= rhost=web`, nor an operator. */
const OWN_VALUE = `(?![-!]|(?:AND|OR|NOT)(?=[\\s(])|${NAME}\\s*[:=<>!])`
const ASSIGNED = new RegExp(
  `(${NAME})(?:\\s*(!==?|<>)\\s*|\\s+=(?!~)\\s*|\\s+==\\s+|==?(?:\\s+${OWN_VALUE})?)(?=[^\\s=)&|])`,
  'y',
)

/** `user=root`, `user=(a OR b)`; `user!=root` and `user<>root` are the opposite. */
function readAssigned(cursor: Cursor, now: number, inner: Inner): Query | undefined {
  const { at } = cursor
  const [, written, not] = take(cursor, ASSIGNED) ?? []
  if (written === undefined) return undefined
  const name = nameOf(written)
  const start = cursor.at
  const match =
    cursor.text[start] === '(' ? inner.group(name) : readFieldMatch(cursor, name, now, VALUE_RUN)
  const text = not
    ? `${written}=${cursor.text.slice(start, cursor.at)}`
    : cursor.text.slice(at, cursor.at)
  const query = /[*?]/.test(text) ? match : orText(match, text)
  return not ? { kind: 'not', query } : query
}

const COMPARED = new RegExp(`(${NAME})(?<!-)\\s*(?=[<>])`, 'y')
/** As a whole word, which `<34>` is not. */
const NUMBER = new RegExp(
  `[<>]=?\\s*(?:[+-]?\\d+(?:[.]\\d+)?(?:[eE][+-]?\\d+)?|${WITH_UNIT})(?=[\\s)&|]|$)`,
  'y',
)

/** `status>=400`, and a moment; with anything but those it is text, as `a>b` and `user<root>` are. */
function readCompared(cursor: Cursor, now: number): Query | undefined {
  const { at, text } = cursor
  const written = take(cursor, COMPARED)?.[1]
  if (written === undefined) return undefined
  const name = nameOf(written)
  NUMBER.lastIndex = cursor.at
  if (name === 'timestamp') return readFieldMatch(cursor, name, now)
  if (NUMBER.test(text)) {
    const match = readFieldMatch(cursor, name, now)
    return orText(match, text.slice(at, cursor.at))
  }
  cursor.at = at
  return undefined
}

const LISTED = new RegExp(`(${NAME})\\s+(?:(NOT|not)\\s+|(!))?(IN|in)(~?)\\s*[(]\\s*`, 'y')
const INSIDE = /([^()]*)[)]/y
const BETWEEN = /\s*(?:,|OR(?=\s))?\s*/y

/** `user IN (a, b)`, `user !in (a, b)` of Kusto. In small letters it may be a sentence, as `logged in (again)` is. */
function readListed(cursor: Cursor, now: number, inner: Inner): Query | undefined {
  const { at, text } = cursor
  const [, written, word, sign, operator, tilde] = take(cursor, LISTED) ?? []
  if (written === undefined) return undefined
  INSIDE.lastIndex = cursor.at
  const not = word ?? sign
  const isSentence = operator === 'in' && !sign && !tilde && !looksLikeField(written)
  if (isSentence && !INSIDE.exec(text)?.[1]?.includes(',')) {
    cursor.at = at
    return undefined
  }
  const name = nameOf(written)
  const values: Query[] = []
  do {
    inner.count()
    values.push(readFieldMatch(cursor, name, now, LIST_RUN))
    take(cursor, BETWEEN)
  } while (text[cursor.at] !== ')' && cursor.at < text.length)
  if (cursor.at === text.length) {
    fail(cursor.at, 'the list is not closed', `end it with ), or write ${name}:(a OR b)`)
  }
  cursor.at++
  const query = anyOf(values)
  return not ? { kind: 'not', query } : orText(query, text.slice(at, cursor.at))
}
