import type { Match, Pattern, Query, Regex } from './ast.ts'
import { fold } from './fold.ts'
import { regexLiterals } from './regex-literals.ts'

/** Folded text that must stand inside one value of the event. */
export type Literal = {
  text: string
  /** The value begins, or ends, with it. */
  isStart: boolean
  isEnd: boolean
  /** The field whose value it is; undefined when it may be any. */
  field: string | undefined
}

/** An event that matches has at least one of these. */
export type Clause = Literal[]

/**
 * What an event must contain to match, as clauses that all hold: cheap to look up before the query
 * itself is tried. Fewer clauses than possible is always right; none says nothing about the event.
 */
export function requiredLiterals(query: Query): Clause[] {
  switch (query.kind) {
    case 'and':
      return query.queries.flatMap(requiredLiterals)
    case 'or':
      return requiredOfAny(query.queries)
    case 'text':
      return ofMatch(query.match, undefined)
    case 'field':
      return ofMatch(query.match, query.field)
    case 'all':
    case 'not':
      return []
  }
}

/** One clause of every choice together make one; a choice without any leaves nothing to say. */
function requiredOfAny(queries: Query[]): Clause[] {
  const together: Clause = []
  for (const query of queries) {
    const best = mostTelling(requiredLiterals(query))
    if (!best) return []
    together.push(...best)
  }
  return together.length === 0 ? [] : [together]
}

function mostTelling(clauses: Clause[]): Clause | undefined {
  let best: Clause | undefined
  for (const clause of clauses) {
    if (!best || shortest(clause) > shortest(best)) best = clause
  }
  return best
}

function shortest(clause: Clause): number {
  return Math.min(...clause.map(({ text }) => text.length))
}

function ofMatch(match: Match, field: string | undefined): Clause[] {
  // A moment has no text.
  if (field === 'timestamp') return []
  if (match.kind === 'pattern') return ofPattern(match, field)
  if (match.kind === 'regex') return ofRegex(match, field)
  if (match.kind === 'cidr') return ofNetwork(match.network, field)
  return []
}

function ofPattern({ parts }: Pattern, field: string | undefined): Clause[] {
  const isWhole = field !== undefined
  return parts.flatMap((part, i) => {
    if (typeof part !== 'string') return []
    const isStart = isWhole && i === 0
    const isEnd = isWhole && i === parts.length - 1
    return [[{ text: fold(part), isStart, isEnd, field }]]
  })
}

/** The octets that the prefix fixes: `10.1.` of 10.1.0.0/16. */
function ofNetwork(network: string, field: string | undefined): Clause[] {
  const [address = '', bits = ''] = network.split('/')
  if (address.includes(':') || Number(bits) < 8) return []
  const fixed = Math.floor(Number(bits) / 8)
  const octets = address.split('.').slice(0, fixed).join('.')
  return [
    [{ text: fixed === 4 ? octets : `${octets}.`, isStart: false, isEnd: fixed === 4, field }],
  ]
}

/** `shortest` is how long a text has to be to be told of. */
export function ofRegex(regex: Regex, field: string | undefined, shortest?: number): Clause[] {
  return regexLiterals(regex, shortest).map((texts) =>
    texts.map((text) => ({ text, isStart: false, isEnd: false, field })),
  )
}
