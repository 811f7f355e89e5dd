import type { PatternPart, Query } from './ast.ts'
import { type Cursor, fail, take } from './cursor.ts'
import { looksLikeField, NAME, nameOf, orText } from './foreign-names.ts'
import { allOf, anyOf, hasTooManyWildcards, patternQuery, textQuery } from './normalise.ts'
import { boundOf, rangeOf } from './read-match.ts'

/** Operators that other languages write as words. A sentence may hold them: it is found as well. */
export function readWorded(cursor: Cursor, now: number): Query | undefined {
  return (
    readBetween(cursor, now) ??
    readLike(cursor) ??
    readNull(cursor) ??
    readContains(cursor) ??
    readExists(cursor)
  )
}

const END = '(?=[\\s)&|]|$)'
const NOT = '(?:(NOT|not)\\s+)?'
const VALUE = `'([^']*)'|"([^"]*)"|([^\\s()"'\\\\*?&|]+?)`
const BETWEEN = new RegExp(
  `(${NAME})\\s+${NOT}(?:BETWEEN|between)\\s*(?:(?<=\\s)(?:${VALUE})\\s+(?:AND|and)\\s+(?:${VALUE})${END}|[(]\\s*(?:${VALUE})\\s*[.][.]\\s*(?:${VALUE})\\s*[)])`,
  'y',
)

/** `status BETWEEN 400 AND 499` of SQL, `status between (400 .. 499)` of Kusto: with both ends. */
function readBetween(cursor: Cursor, now: number): Query | undefined {
  const { at } = cursor
  const [text, written, not, ...values] = take(cursor, BETWEEN) ?? []
  if (text === undefined || written === undefined) return undefined
  const field = nameOf(written)
  const bounds = [values.slice(0, 3), values.slice(3, 6), values.slice(6, 9), values.slice(9)]
    .filter((groups) => groups.some((group) => group !== undefined))
    .map(([single, double, bare]) => {
      return boundOf(single ?? double ?? bare ?? '', bare !== undefined, { at, field, now })
    })
  const query = rangeOf(field, ['>=', bounds[0]], ['<=', bounds[1]])
  return not ? { kind: 'not', query } : orText(query, text)
}

const LIKE = new RegExp(
  `(${NAME})\\s+${NOT}(?:(I?LIKE)|i?like)\\s+(?:'([^']*)'|"([^"]*)"|([^\\s()"']*%[^\\s()"']*))${END}`,
  'y',
)

/** `user LIKE 'adm%'`: `%` is any run, `_` any character. In small letters it needs a `%`. */
function readLike(cursor: Cursor): Query | undefined {
  const { at } = cursor
  const [text, written, not, capitals, single, double, bare] = take(cursor, LIKE) ?? []
  if (text === undefined || written === undefined) return undefined
  const value = single ?? double ?? bare ?? ''
  if (!capitals && !value.includes('%')) {
    cursor.at = at
    return undefined
  }
  const parts = [...value.matchAll(/\\([%_\\])|(%)|(_)|[^%_\\]+|\\/g)].map(
    ([plain, escaped, run, one]): PatternPart =>
      run ? { any: 'run' } : one ? { any: 'one' } : (escaped ?? plain),
  )
  if (hasTooManyWildcards(parts)) fail(at, 'too many wildcards', 'ask for fewer parts of it')
  const query = patternQuery(nameOf(written), { kind: 'pattern', parts })
  return not ? { kind: 'not', query } : orText(query, text)
}

const IS_NULL = new RegExp(
  `(${NAME})\\s+(?:(IS)\\s+(NOT\\s+)?NULL|is\\s+(not\\s+)?null)${END}`,
  'y',
)
const NULL_CALL = new RegExp(`is(not)?(null|empty)[(]\\s*(${NAME})\\s*[)]`, 'yi')

/** `user IS NULL`; in small letters, where it may be a sentence, only of what looks like a field. */
function readNull(cursor: Cursor): Query | undefined {
  const [, isThere, what, called] = take(cursor, NULL_CALL) ?? []
  if (called !== undefined) {
    const isEmpty = what?.toLowerCase() === 'empty'
    const nothing = anyOf([without(called), ...(isEmpty ? [emptyIn(called)] : [])])
    return isThere ? { kind: 'not', query: nothing } : nothing
  }
  const { at } = cursor
  const [text, name, capitals, not, smallNot] = take(cursor, IS_NULL) ?? []
  if (text === undefined || name === undefined) return undefined
  const query = not || smallNot ? exists(name) : without(name)
  if (capitals) return query
  if (looksLikeField(name)) return orWords(query, text)
  cursor.at = at
  return undefined
}

const CONTAINS = new RegExp(
  `(${NAME})\\s+(?:(!)|(?:NOT|not)(\\s+))?(contains|startswith|endswith|has)(_cs)?\\s+(?:"([^"]*)"|'([^'\\s]*)'|([^\\s()"'\\\\:*?&|]+))${END}`,
  'yi',
)

/** `CommandLine contains "-enc"` of Kusto; without quotes only of what looks like a field. */
function readContains(cursor: Cursor): Query | undefined {
  const { at } = cursor
  const [text, written, sign, word, how, cased, double, single, bare] = take(cursor, CONTAINS) ?? []
  if (text === undefined || written === undefined || how === undefined) return undefined
  const value = double ?? single ?? bare ?? ''
  const isWord = bare !== undefined && (!looksLikeField(written) || /^(?:AND|OR|NOT)$/i.test(bare))
  if (isWord || value === '') {
    cursor.at = at
    return undefined
  }
  const any: PatternPart = { any: 'run' }
  const query = patternQuery(nameOf(written), {
    kind: 'pattern',
    parts: [
      ...(how.toLowerCase() === 'startswith' ? [] : [any]),
      value,
      ...(how.toLowerCase() === 'endswith' ? [] : [any]),
    ],
    ...(cased && { isCaseSensitive: true as const }),
  })
  return sign || word ? { kind: 'not', query } : orWords(query, text)
}

const EXISTS = new RegExp(`(${NAME})\\s+(?:(EXISTS)|exists)(?=[\\s)]|$)`, 'y')
const ELASTIC_EXISTS = new RegExp(`_exists_:\\s*(${NAME})(?=[\\s)]|$)`, 'y')

/**
 * `_exists_:user` as Elastic writes it, and `user exists`. That could be two words of a message, as
 * `file exists` is: only what looks like a field's name is taken as one, and then as both.
 */
function readExists(cursor: Cursor): Query | undefined {
  const elastic = take(cursor, ELASTIC_EXISTS)?.[1]
  if (elastic) return exists(elastic)
  const { at } = cursor
  const [text, name, capitals] = take(cursor, EXISTS) ?? []
  if (text === undefined || name === undefined) return undefined
  if (capitals || looksLikeField(name)) return orWords(exists(name), text)
  cursor.at = at
  return undefined
}

const exists = (name: string): Query => ({
  kind: 'field',
  field: nameOf(name),
  match: { kind: 'exists' },
})
const without = (name: string): Query => ({ kind: 'not', query: exists(name) })
const emptyIn = (name: string) => patternQuery(nameOf(name), { kind: 'pattern', parts: [] })

const orWords = (query: Query, text: string) => {
  const words = text.replaceAll(/["']/g, ' ').trim().split(/\s+/)
  return anyOf([query, allOf(words.map((word) => textQuery({ kind: 'pattern', parts: [word] })))])
}
