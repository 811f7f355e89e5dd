import type { FieldQuery, Pattern, Query, Regex } from './ast.ts'
import { quoteRegex } from './fold.ts'
import { foldRegex } from './fold-regex.ts'

type TextQuery = Extract<Query, { kind: 'text' }>
type Leaf = (TextQuery | FieldQuery) & { match: Pattern | Regex }

/** Fewer than this are faster one by one. */
const AT_LEAST = 16
/** Engines compile regexes of this size without a thought. */
const MOST_SOURCE = 8_192

/**
 * The same question with long lists about one field (`a OR b OR …`, `NOT a NOT b …`) as few
 * regexes: an engine keeps memory and time for every condition, and lists have thousands.
 */
export function joinAlternatives(query: Query, atLeast = AT_LEAST): Query {
  switch (query.kind) {
    case 'and':
      return { kind: 'and', queries: withRefusalsJoined(query.queries, atLeast) }
    case 'not':
      return { kind: 'not', query: joinAlternatives(query.query, atLeast) }
    case 'or':
      return { kind: 'or', queries: joinedIn(query.queries, atLeast) }
    default:
      return query
  }
}

/** How many conditions a statement of this query has. */
export function countConditions(query: Query): number {
  if (query.kind === 'not') return countConditions(query.query)
  if (query.kind !== 'and' && query.kind !== 'or') return 1
  return query.queries.reduce((sum, one) => sum + countConditions(one), 0)
}

/** Neither a nor b is not (a or b). */
function withRefusalsJoined(queries: Query[], atLeast: number): Query[] {
  const refused = queries.flatMap((one) => (one.kind === 'not' ? [one.query] : []))
  if (refused.length < atLeast) return queries.map((one) => joinAlternatives(one, atLeast))
  const others = queries.filter(({ kind }) => kind !== 'not')
  return [
    ...others.map((one) => joinAlternatives(one, atLeast)),
    { kind: 'not', query: joinAlternatives({ kind: 'or', queries: refused }, atLeast) },
  ]
}

function joinedIn(queries: Query[], atLeast: number): Query[] {
  const groups = Map.groupBy(queries, targetOf)
  const others = groups.get(undefined) ?? []
  groups.delete(undefined)
  const joined = [...groups.values()].flatMap((group) =>
    group.length < atLeast ? group : [...regexesOf(group as Leaf[])],
  )
  return [...joined, ...others.map((one) => joinAlternatives(one, atLeast))]
}

/** Patterns and regexes about the same text can be one; `timestamp` is no text. */
function targetOf(query: Query): string | undefined {
  if (query.kind !== 'text' && query.kind !== 'field') return undefined
  if (query.match.kind !== 'pattern' && query.match.kind !== 'regex') return undefined
  if (query.kind === 'text') return 'text'
  return query.field === 'timestamp' ? undefined : `field ${query.field}`
}

function* regexesOf(group: Leaf[]): Iterable<Query> {
  let sources: string[] = []
  let length = 0
  for (const leaf of group) {
    const source = sourceOf(leaf)
    if (length + source.length > MOST_SOURCE && sources.length > 0) {
      yield regexOf(leaf, sources)
      sources = []
      length = 0
    }
    sources.push(source)
    length += source.length + 1
  }
  yield regexOf(group[0] as Leaf, sources)
}

function regexOf(leaf: Leaf, sources: string[]): Query {
  return { ...leaf, match: { kind: 'regex', source: sources.join('|'), flags: {} } }
}

/** Each with the flags it needs, and a pattern of a field with its ends. */
function sourceOf({ kind, match }: Leaf): string {
  if (match.kind === 'regex') {
    const letters = Object.keys(match.flags).join('')
    return `(?${letters}:${match.source})`
  }
  const source = patternSource(match)
  return `(?s:${kind === 'text' ? source : `^${source}$`})`
}

function patternSource({ parts, isCaseSensitive }: Pattern): string {
  return parts
    .map((part) => {
      if (typeof part !== 'string') return part.any === 'run' ? '.*' : '.'
      return isCaseSensitive ? quoteRegex(part) : foldRegex(part)
    })
    .join('')
}
