import type { FieldQuery, Pattern, Query, Range, Regex } from './ast.ts'
import { isRun } from './normalise.ts'

/** As text that `parseQuery` turns into the same tree again, once it is normalised. */
export function printQuery(query: Query): string {
  switch (query.kind) {
    case 'all':
      return '*'
    case 'and':
      return query.queries.length === 0 ? '*' : query.queries.map(printNeeded).join(' AND ')
    case 'or':
      return printChoices(query.queries)
    case 'not':
      return `NOT ${printTight(query.query)}`
    case 'text':
      return query.match.kind === 'regex' ? printRegex(query.match) : printText(query.match)
    case 'field':
      return `${printName(query.field)}:${printMatch(query)}`
  }
}

/** OR binds less than AND, which binds less than NOT. */
function printNeeded(query: Query): string {
  return query.kind === 'or' && !sharedField(query.queries) ? printTight(query) : printQuery(query)
}

function printTight(query: Query): string {
  const isList = query.kind === 'and' || (query.kind === 'or' && !sharedField(query.queries))
  return isList ? `(${printQuery(query)})` : printQuery(query)
}

function printChoices(queries: Query[]): string {
  if (queries.length === 0) return 'NOT *'
  const field = sharedField(queries)
  if (field === undefined) return queries.map(printQuery).join(' OR ')
  const values = queries.filter((query) => query.kind === 'field').map(printMatch)
  return `${printName(field)}:(${values.join(' OR ')})`
}

/** The field that several choices are all about: `host:(a OR b)`. */
function sharedField(queries: Query[]): string | undefined {
  const [first, ...others] = queries
  if (first?.kind !== 'field' || others.length === 0) return undefined
  const isShared = others.every((query) => query.kind === 'field' && query.field === first.field)
  return isShared ? first.field : undefined
}

function printMatch({ field, match }: FieldQuery): string {
  switch (match.kind) {
    case 'exists':
      return '*'
    case 'pattern':
      return printFieldPattern(field, match)
    case 'regex':
      return printRegex(match)
    case 'range':
      return printRange(field, match)
    case 'cidr':
      return match.network
    case 'same-as':
      return `${match.how}(${printName(match.field)})`
  }
}

function printFieldPattern(field: string, pattern: Pattern): string {
  const { parts, isCaseSensitive } = pattern
  if (isCaseSensitive) return `==${printParts(parts)}`
  if (field !== 'message') return printParts(parts)
  const isPart = parts.length > 2 && isRun(parts[0]) && isRun(parts.at(-1))
  return isPart ? printParts(parts.slice(1, -1)) : `=${printParts(parts)}`
}

function printText({ parts, isCaseSensitive }: Pattern): string {
  return `${isCaseSensitive ? '==' : ''}${printParts(parts)}`
}

function printParts(parts: Pattern['parts']): string {
  if (parts.length === 0) return '""'
  return parts
    .map((part) => (typeof part === 'string' ? printLiteral(part) : part.any === 'run' ? '*' : '?'))
    .join('')
}

const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}_.@%,;#$-]*$/u
const OPERATORS = /^(?:and|or|not|to)$/i

/** Quoted when a character, or the word itself, could mean something else. */
function printLiteral(text: string): string {
  return PLAIN.test(text) && !OPERATORS.test(text) ? text : quote(text)
}

function printName(name: string): string {
  return PLAIN.test(name) && !OPERATORS.test(name) ? name : quote(name)
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

function printRegex({ source, flags }: Regex): string {
  const escaped = source.replace(/\\.|\//gs, (found) => (found === '/' ? '\\/' : found))
  return `/${escaped}/${flags.i ? '' : 'c'}${flags.m ? 'm' : ''}${flags.s ? 's' : ''}`
}

function printRange(field: string, range: Range): string {
  const low = range.gte ?? range.gt
  const high = range.lte ?? range.lt
  if (high === undefined) return `${range.gte === undefined ? '>' : '>='}${printBound(field, low)}`
  if (low === undefined) return `${range.lte === undefined ? '<' : '<='}${printBound(field, high)}`
  const open = range.gte === undefined ? '{' : '['
  const close = range.lte === undefined ? '}' : ']'
  return `${open}${printBound(field, low)} TO ${printBound(field, high)}${close}`
}

function printBound(field: string, bound: number | string | undefined): string {
  if (typeof bound === 'string') return quote(bound)
  if (bound === undefined) return '*'
  return field === 'timestamp' ? `"${new Date(bound).toISOString()}"` : String(bound)
}
