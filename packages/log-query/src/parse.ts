import type { Query } from './ast.ts'
import { type Cursor, fail, readWord, skipSpace, TEXT_RUN, take } from './cursor.ts'
import { allOf, anyOf, textQuery } from './normalise.ts'
import type { QueryError } from './query-error.ts'
import { readForeign } from './read-foreign.ts'
import { readFieldMatch, readRegex } from './read-match.ts'
import { refuseForeign } from './refuse-foreign.ts'

/** Far beyond what people or rules write; they keep reading and running a query cheap. */
const MAX_LENGTH = 1024 * 1024
const MAX_DEPTH = 64
const MAX_TERMS = 20_000

export type ParseResult = { ok: true; query: Query } | { ok: false; error: QueryError }

/** `now` is what relative moments (`now-24h`) count from, in milliseconds. */
export function parseQuery(text: string, now: number): ParseResult {
  try {
    return { ok: true, query: readQuery(text, now) }
  } catch (error) {
    if (error instanceof Error && 'query' in error) {
      return { ok: false, error: error.query as QueryError }
    }
    throw error
  }
}

type Reading = Cursor & { now: number; depth: number; terms: number }

function readQuery(text: string, now: number): Query {
  if (text.length > MAX_LENGTH) {
    fail(MAX_LENGTH, `the query has more than ${MAX_LENGTH} characters`, 'split it in several')
  }
  const reading: Reading = { text, at: 0, now, depth: 0, terms: 0 }
  skipSpace(reading)
  if (reading.at === text.length) return { kind: 'all' }
  const query = readOr(reading, undefined)
  if (reading.at < text.length) {
    fail(reading.at, 'this parenthesis was never opened', 'remove it, or quote it: ")"')
  }
  return query
}

/** `field` inside a group, `host:(a OR b)`, where every term is a value of it. */
type Field = string | undefined

function readOr(reading: Reading, field: Field): Query {
  const choices = [readAnd(reading, field)]
  while (take(reading, OR)) choices.push(readAnd(reading, field))
  return anyOf(choices)
}

function readAnd(reading: Reading, field: Field): Query {
  const needed = [readNot(reading, field)]
  while (take(reading, AND) || !isAtEnd(reading)) needed.push(readNot(reading, field))
  return allOf(needed)
}

const DELIMITER = '(?=[\\s()"]|$)'
const OR = new RegExp(`(?:OR${DELIMITER}|\\|\\|)\\s*`, 'y')
const AND = new RegExp(`(?:AND${DELIMITER}|&&)\\s*`, 'y')
const NOT = new RegExp(`(?:NOT${DELIMITER}\\s*|!\\s*|-(?!-*>)(?=[^\\s)]))`, 'y')
const SMALL_OPERATOR = new RegExp(`(?:and|or|not)${DELIMITER}`, 'y')
const OPERATOR = new RegExp(`(?:AND|OR|NOT)${DELIMITER}`, 'y')
/** Neither `||` nor a bar inside a word. */
const PIPE = /\|(?!\|)(?=\s|[a-z])/y
const END = new RegExp(`$|\\)|\\|\\||OR${DELIMITER}`, 'y')

function isAtEnd({ text, at }: Reading): boolean {
  END.lastIndex = at
  return END.test(text)
}

function readNot(reading: Reading, field: Field): Query {
  return take(reading, NOT)
    ? { kind: 'not', query: deeper(reading, () => readNot(reading, field)) }
    : readTerm(reading, field)
}

function deeper<T>(reading: Reading, read: () => T): T {
  if (++reading.depth > MAX_DEPTH) {
    fail(reading.at, `more than ${MAX_DEPTH} levels of parentheses or NOT`, 'write it flatter')
  }
  const value = read()
  reading.depth--
  return value
}

function readTerm(reading: Reading, field: Field): Query {
  refuseOperator(reading)
  countTerm(reading)
  const query =
    reading.text[reading.at] === '(' ? readGroup(reading, field) : readLeaf(reading, field)
  skipSpace(reading)
  return query
}

function countTerm(reading: Reading) {
  if (++reading.terms > MAX_TERMS) {
    fail(reading.at, `more than ${MAX_TERMS} terms`, 'split the query in several')
  }
}

function refuseOperator(reading: Reading) {
  const { at } = reading
  if (take(reading, PIPE)) {
    fail(
      at,
      'this language has no pipes',
      'count and group with POST /siem/aggregate, sort and limit with the parameters of the request; a | that is meant as text is quoted: "|"',
    )
  }
  if (isAtEnd(reading) || take(reading, AND)) {
    fail(at, 'a term is missing', 'write one on both sides of AND and OR, and inside parentheses')
  }
  const small = take(reading, SMALL_OPERATOR)?.[0]
  if (small) {
    const hint = `write ${small.toUpperCase()}, or "${small}" in quotes to search for the word`
    fail(at, `${small} is an operator only in capitals`, hint)
  }
}

function readGroup(reading: Reading, field: Field): Query {
  const start = reading.at++
  skipSpace(reading)
  const query = deeper(reading, () => readOr(reading, field))
  if (reading.text[reading.at] !== ')') {
    fail(start, 'the parenthesis is not closed', 'end it with ), or quote it: "("')
  }
  reading.at++
  return query
}

function readLeaf(reading: Reading, field: Field): Query {
  if (field !== undefined) return readFieldMatch(reading, field, reading.now)
  if (reading.text[reading.at] === '/') return { kind: 'text', match: readRegex(reading) }
  if (take(reading, /==/y)) return readText(reading, { isCaseSensitive: true })
  if (take(reading, EVERYTHING)) return { kind: 'all' }
  refuseForeign(reading)
  const foreign = readForeign(reading, reading.now, {
    group: (name) => readGroup(reading, name),
    count: () => countTerm(reading),
  })
  if (foreign) return foreign
  const name = readFieldName(reading)
  if (name === undefined) return readText(reading, {})
  skipSpaceBeforeValue(reading, name)
  if (reading.text[reading.at] === '(') return readGroup(reading, name)
  return readFieldMatch(reading, name, reading.now)
}

/** `state:OR` is Oregon; in `state: OR x` the value was forgotten. */
function skipSpaceBeforeValue(reading: Reading, field: string) {
  const { at } = reading
  skipSpace(reading)
  if (reading.at > at && take(reading, OPERATOR)) {
    fail(at, `a value is missing after ${field}:`, `write ${field}:* for any value, or quote it`)
  }
}

/** As Lucene writes it. */
const EVERYTHING = /\*:\*(?=[\s)]|$)/y

/** The name before a colon; without one nothing is taken. */
function readFieldName(reading: Reading): string | undefined {
  const { at } = reading
  const { parts } = readWord(reading, TEXT_RUN)
  if (reading.text[reading.at] !== ':') {
    reading.at = at
    return undefined
  }
  reading.at++
  const [name, ...more] = parts
  if (typeof name === 'string' && more.length === 0) {
    return name === '@timestamp' ? 'timestamp' : name
  }
  return name === undefined
    ? fail(
        at,
        'a field name is missing before the colon',
        'quote a colon that is meant as text: ":"',
      )
    : fail(
        at,
        'a field name has no wildcards',
        'write a word without a field to search all of them',
      )
}

function readText(reading: Reading, options: { isCaseSensitive?: true }): Query {
  const { at, parts } = readWord(reading, TEXT_RUN)
  if (reading.at === at) fail(at, 'a word is missing here', 'quote special characters: ":"')
  return textQuery({ kind: 'pattern', parts, ...options })
}
