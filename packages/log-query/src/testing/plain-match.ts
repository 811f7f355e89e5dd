import { RE2JS } from 're2js'
import type { Match, Pattern, PatternPart, Query, Range, Regex } from '../ast.ts'
import { cidrRegex } from '../cidr.ts'
import { COMMON_FIELDS, type LogRecord } from '../event.ts'
import { compareText, fold } from '../fold.ts'

/**
 * The meaning of a query as ast.ts says it, written a second time and as plainly as can be: no
 * indexes, no grouping, nothing kept. What is made to be quick is compared with it.
 */
export function plainlyMatches(query: Query, log: LogRecord): boolean {
  switch (query.kind) {
    case 'all':
      return true
    case 'and':
      return query.queries.every((one) => plainlyMatches(one, log))
    case 'or':
      return query.queries.some((one) => plainlyMatches(one, log))
    case 'not':
      return !plainlyMatches(query.query, log)
    case 'text':
      return everyText(log).some((text) => isFoundIn(query.match, text))
    case 'field':
      return query.field === 'timestamp'
        ? momentMatches(query.match, log.at)
        : valuesOf(log, query.field).some((text) => valueMatches(query.match, text, log))
  }
}

function everyText(log: LogRecord): string[] {
  const columns = COMMON_FIELDS.filter((name) => name !== 'id').map((name) => log[name])
  return textsIn([...columns, ...Object.values(log.fields).flat()])
}

function valuesOf(log: LogRecord, name: string): string[] {
  const column = COMMON_FIELDS.find((common) => common === name)
  if (column) return textsIn([log[column]])
  const field = name.replace(/^fields\./, '')
  return Object.hasOwn(log.fields, field) ? textsIn([log.fields[field] ?? null].flat()) : []
}

const textsIn = (values: unknown[]) => values.filter((value) => value !== null).map(String)

function valueMatches(match: Match, text: string, log: LogRecord): boolean {
  switch (match.kind) {
    case 'exists':
      return true
    case 'pattern':
      return isWhole(match, text)
    case 'regex':
      return isFoundByRegex(match, text)
    case 'range':
      return isWithin(match, text)
    case 'cidr':
      return new RegExp(cidrRegex(match.network) ?? '$^').test(text)
    case 'same-as':
      return valuesOf(log, match.field).some((other) => {
        const [mine, theirs] = [fold(text), fold(other)]
        if (match.how === 'equals') return mine === theirs
        if (match.how === 'startswith') return mine.startsWith(theirs)
        return match.how === 'endswith' ? mine.endsWith(theirs) : mine.includes(theirs)
      })
  }
}

function isFoundIn(match: Pattern | Regex, text: string): boolean {
  if (match.kind === 'regex') return isFoundByRegex(match, text)
  return isWhole({ ...match, parts: [{ any: 'run' }, ...match.parts, { any: 'run' }] }, text)
}

/** Every way to divide the text among the parts, a code point at a time. */
function isWhole({ parts, isCaseSensitive }: Pattern, text: string): boolean {
  const asCompared = (piece: string) => (isCaseSensitive ? piece : fold(piece))
  const fits = ([part, ...rest]: PatternPart[], left: string[]): boolean => {
    if (part === undefined) return left.length === 0
    if (typeof part === 'string') {
      const letters = [...asCompared(part)]
      const isHere = letters.every((letter, at) => left[at] === letter)
      return isHere && fits(rest, left.slice(letters.length))
    }
    if (part.any === 'one') return left.length > 0 && fits(rest, left.slice(1))
    return left.some((_, at) => fits(rest, left.slice(at))) || fits(rest, [])
  }
  // Two runs side by side are one, and would double the ways.
  const distinct = parts.filter((part, at) => !(isRun(part) && isRun(parts[at - 1])))
  return fits(distinct, [...asCompared(text)])
}

const isRun = (part: PatternPart | undefined) => typeof part === 'object' && part.any === 'run'

function isFoundByRegex({ source, flags }: Regex, text: string): boolean {
  const set = Object.keys(flags).join('')
  return RE2JS.compile(set ? `(?${set})${source}` : source).test(text)
}

function momentMatches(match: Match, at: number): boolean {
  if (match.kind === 'exists') return true
  return match.kind === 'range' && isWithin(match, String(at))
}

function isWithin({ gt, gte, lt, lte }: Range, text: string): boolean {
  const isNumber = /^[+-]?\d{1,30}([.]\d{1,30})?([eE][+-]?\d{1,2})?$/.test(text)
  const holds = (bound: number | string | undefined, isRight: (order: number) => boolean) => {
    if (bound === undefined) return true
    if (typeof bound === 'string') return isRight(compareText(fold(text), fold(bound)))
    return isNumber && isRight(Number(text) - bound)
  }
  return (
    holds(gt, (order) => order > 0) &&
    holds(gte, (order) => order >= 0) &&
    holds(lt, (order) => order < 0) &&
    holds(lte, (order) => order <= 0)
  )
}
