import type { Match, Query } from '@manara/log-query/ast'
import { allOf, anyOf, textQuery } from '@manara/log-query/normalise'
import type { Selections } from './condition.ts'
import type { Source } from './mappings.ts'
import type { Placeholders } from './placeholders.ts'
import { asList, isMap, type Plain } from './plain-data.ts'
import { exists, field, not } from './queries.ts'
import { SigmaError } from './sigma-error.ts'
import { readValue, type SigmaScalar } from './values.ts'

export type Reading = { source: Source; placeholders: Placeholders }

/** Everything beside the condition: `name: <map, list of maps, or keywords>`. */
export const readSelections = (detection: Plain, reading: Reading): Selections => {
  const known = new Map<string, Query>()
  const bodyOf = (name: string) => detection[name]
  return {
    names: Object.keys(detection).filter((name) => name !== 'condition' && name !== 'timeframe'),
    query(name) {
      const query = known.get(name) ?? within(name, () => selection(bodyOf(name), reading))
      known.set(name, query)
      return query
    },
    alternatives: (name) =>
      within(name, () => asList(bodyOf(name)).map((body) => selection(body, reading))),
  }
}

/** The name of the selection goes before what is wrong with it. */
const within = <T>(name: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SigmaError)) throw error
    throw new SigmaError(`${name}: ${error.message}`)
  }
}

/** Lists of lists say no more than one list does. */
const MOST_DEPTH = 16

const selection = (body: unknown, reading: Reading, depth = 0): Query => {
  if (Array.isArray(body)) {
    if (body.length === 0) throw new SigmaError('the list is empty')
    if (depth > MOST_DEPTH) throw new SigmaError(`more than ${MOST_DEPTH} lists in lists`)
    return anyOf(body.map((alternative) => selection(alternative, reading, depth + 1)))
  }
  if (!isMap(body)) return keyword(body, [], reading)
  const entries = Object.entries(body)
  if (entries.length === 0) throw new SigmaError('the map is empty')
  return allOf(entries.map(([key, value]) => within(key, () => entry(key, value, reading))))
}

/** `Field|modifier|modifier: value or values`. */
const entry = (key: string, body: unknown, reading: Reading): Query => {
  const [name = '', ...written] = key.split('|')
  const isAll = written.includes('all')
  const isNegated = written.includes('neq')
  const modifiers = written.filter((modifier) => modifier !== 'all' && modifier !== 'neq')
  const values = Array.isArray(body) ? body : [body]
  if (values.length === 0) throw new SigmaError('the list of values is empty')
  const combined = (read: (value: unknown) => Query) =>
    isAll ? allOf(values.map(read)) : anyOf(values.map(read))
  const asks = (names: string[]) =>
    combined((value) => fieldValue(names, value, modifiers, reading))
  const query =
    name === ''
      ? combined((value) => keyword(value, modifiers, reading))
      : inEvents(reading.source.meant(name, values), reading.source.namesOf(name), asks)
  return isNegated ? not(query) : query
}

const inEvents = (
  meant: string | undefined,
  names: string[],
  asks: (names: string[]) => Query,
): Query =>
  meant === undefined
    ? asks(names)
    : anyOf([asks([meant]), allOf([not(exists(meant)), asks(names)])])

const fieldValue = (
  names: string[],
  value: unknown,
  modifiers: string[],
  { source, placeholders }: Reading,
): Query => {
  const present = anyOf(names.map(exists))
  if (modifiers[0] === 'exists') {
    if (typeof value !== 'boolean' || modifiers.length > 1)
      throw new SigmaError('exists takes true or false and no other modifier')
    return value ? present : not(present)
  }
  if (value === null) {
    if (modifiers.length > 0) throw new SigmaError(`null cannot take the modifier ${modifiers[0]}`)
    return not(present)
  }
  const matches = readValue(scalar(value), modifiers, placeholders)
  return anyOf(
    names.flatMap((each) =>
      matches.flatMap((match) => inOurNames(match, source).map((named) => field(each, named))),
    ),
  )
}

const inOurNames = (match: Match, source: Source): Match[] =>
  match.kind === 'same-as'
    ? source.namesOf(match.field).map((name) => ({ ...match, field: name }))
    : [match]

const keyword = (value: unknown, modifiers: string[], { placeholders }: Reading): Query => {
  if (value === null || value === undefined || value === '')
    throw new SigmaError('a keyword is empty')
  return anyOf(
    readValue(scalar(value), modifiers, placeholders).map((match): Query => {
      if (match.kind === 'exists') return { kind: 'all' }
      if (match.kind === 'pattern') return textQuery(match)
      if (match.kind === 'regex') return { kind: 'text', match }
      throw new SigmaError(`a keyword cannot take the modifier ${modifiers[0]}`)
    }),
  )
}

const scalar = (value: unknown): SigmaScalar => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  throw new SigmaError('a value is a text, a number, true, false or null')
}
