import type { FieldQuery, Pattern, Query } from './ast.ts'
import { quoteRegex } from './fold.ts'
import { foldRegex } from './fold-regex.ts'

type TextQuery = Extract<Query, { kind: 'text' }>
type PatternLeaf = (TextQuery | FieldQuery) & { match: Pattern }

/** Fewer than this are faster one by one. */
const AT_LEAST = 16
/** Engines compile regexes of this size without a thought. */
const MOST_SOURCE = 8_192

/**
 * The same question with long lists of alternatives (`a OR b OR …` of one field) as few regexes: an
 * engine keeps memory and time for every condition of a statement, and lists have thousands.
 */
export function joinAlternatives(query: Query, atLeast = AT_LEAST): Query {
  switch (query.kind) {
    case 'and':
      return { kind: 'and', queries: query.queries.map((one) => joinAlternatives(one, atLeast)) }
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

function joinedIn(queries: Query[], atLeast: number): Query[] {
  const groups = Map.groupBy(queries, targetOf)
  const others = groups.get(undefined) ?? []
  groups.delete(undefined)
  const joined = [...groups.values()].flatMap((group) =>
    group.length < atLeast ? group : [...regexesOf(group as PatternLeaf[])],
  )
  return [...joined, ...others.map((one) => joinAlternatives(one, atLeast))]
}

/** Patterns about the same text can be one; `timestamp` is none. */
function targetOf(query: Query): string | undefined {
  if (query.kind === 'text') return query.match.kind === 'pattern' ? 'text' : undefined
  if (query.kind !== 'field' || query.match.kind !== 'pattern') return undefined
  return query.field === 'timestamp' ? undefined : `field ${query.field}`
}

function* regexesOf(group: PatternLeaf[]): Iterable<Query> {
  let sources: string[] = []
  let length = 0
  for (const { match } of group) {
    const source = sourceOf(match)
    if (length + source.length > MOST_SOURCE && sources.length > 0) {
      yield regexOf(group[0] as PatternLeaf, sources)
      sources = []
      length = 0
    }
    sources.push(source)
    length += source.length + 1
  }
  yield regexOf(group[0] as PatternLeaf, sources)
}

function regexOf(leaf: PatternLeaf, sources: string[]): Query {
  const any = `(?:${sources.join('|')})`
  const source = leaf.kind === 'text' ? any : `^${any}$`
  return { ...leaf, match: { kind: 'regex', source, flags: { s: true } } }
}

function sourceOf({ parts, isCaseSensitive }: Pattern): string {
  return parts
    .map((part) => {
      if (typeof part !== 'string') return part.any === 'run' ? '.*' : '.'
      return isCaseSensitive ? quoteRegex(part) : foldRegex(part)
    })
    .join('')
}
