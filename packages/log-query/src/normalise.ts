import type { FieldQuery, Pattern, PatternPart, Query, Range, Regex } from './ast.ts'

/**
 * The one tree among those of the same shape that `parse` makes: no list of one, no list directly
 * inside a list of its kind, no two literals or runs in a row.
 */
export function normalise(query: Query): Query {
  switch (query.kind) {
    case 'and':
      return allOf(query.queries.map(normalise))
    case 'or':
      return anyOf(query.queries.map(normalise))
    case 'not':
      return { kind: 'not', query: normalise(query.query) }
    case 'text':
      return query.match.kind === 'pattern'
        ? textQuery(query.match)
        : { kind: 'text', match: plainSlashes(query.match) }
    case 'field':
      return normaliseField(query)
    case 'all':
      return query
  }
}

export function allOf(queries: Query[]): Query {
  const flat = queries.flatMap((query) => (query.kind === 'and' ? query.queries : [query]))
  if (flat.length === 0) return { kind: 'all' }
  return onlyOne(flat) ?? { kind: 'and', queries: flat }
}

export function anyOf(queries: Query[]): Query {
  const flat = queries.flatMap((query) => (query.kind === 'or' ? query.queries : [query]))
  if (flat.length === 0) return { kind: 'not', query: { kind: 'all' } }
  return onlyOne(flat) ?? { kind: 'or', queries: flat }
}

function onlyOne(queries: Query[]): Query | undefined {
  return queries.length === 1 ? queries[0] : undefined
}

/** Free text begins and ends anywhere as it is: runs at its ends say nothing. */
export function textQuery(pattern: Pattern): Query {
  const parts = joinParts(pattern.parts)
  if (isRun(parts[0])) parts.shift()
  if (isRun(parts.at(-1))) parts.pop()
  return parts.length === 0 ? { kind: 'all' } : { kind: 'text', match: { ...pattern, parts } }
}

function normaliseField(query: FieldQuery): Query {
  const { field, match } = query
  if (match.kind === 'pattern') return patternQuery(field, match)
  if (match.kind === 'regex') return { kind: 'field', field, match: plainSlashes(match) }
  if (match.kind === 'range') {
    return { kind: 'field', field, match: field === 'timestamp' ? wholeMilliseconds(match) : match }
  }
  return query
}

/** Only between slashes does one need its backslash. */
function plainSlashes(regex: Regex): Regex {
  return { ...regex, source: unescapeSlashes(regex.source) }
}

export function unescapeSlashes(source: string): string {
  return source.replace(/\\./gs, (pair) => (pair === '\\/' ? '/' : pair))
}

/** Any run at all as the whole value asks only whether there is one. */
export function patternQuery(field: string, pattern: Pattern): Query {
  const parts = joinParts(pattern.parts)
  if (parts.length === 1 && isRun(parts[0])) {
    return { kind: 'field', field, match: { kind: 'exists' } }
  }
  return { kind: 'field', field, match: { ...pattern, parts } }
}

/** Moments are whole milliseconds, so two kinds of bounds are enough. */
function wholeMilliseconds({ gt, gte, lt, lte }: Range): Range {
  const from = gte ?? (typeof gt === 'number' ? gt + 1 : gt)
  const to = lt ?? (typeof lte === 'number' ? lte + 1 : lte)
  return {
    kind: 'range',
    ...(from !== undefined && { gte: from }),
    ...(to !== undefined && { lt: to }),
  }
}

export function joinParts(parts: PatternPart[]): PatternPart[] {
  const joined: PatternPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part === '' || (isRun(part) && isRun(last))) continue
    if (typeof part === 'string' && typeof last === 'string')
      joined[joined.length - 1] = last + part
    else joined.push(part)
  }
  return joined
}

/** With more an engine goes through a long text once for each, and nothing stops it halfway. */
export const MOST_WILDCARDS = 100

export const hasTooManyWildcards = (parts: PatternPart[]) =>
  parts.filter((part) => typeof part !== 'string').length > MOST_WILDCARDS

export function isRun(part: PatternPart | undefined): boolean {
  return typeof part === 'object' && part.any === 'run'
}
