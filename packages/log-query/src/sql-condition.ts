import type { FieldQuery, Query } from './ast.ts'

/** Takes a value and answers what stands for it in the statement: a parameter or a literal. */
export type Bind = (value: string | number) => string

/** A condition that is never NULL for the two kinds of leaves. */
export type Leaves = {
  text(query: Extract<Query, { kind: 'text' }>): string
  field(query: FieldQuery): string
}

/** The bounds of a range, and how SQL writes them. */
export const COMPARISONS = [
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
] as const

const ALWAYS = '1 = 1'
const NEVER = '1 = 0'

/** The tree of a query as SQL that every engine reads; the leaves are the engine's own. */
export function sqlCondition(query: Query, leaves: Leaves): string {
  switch (query.kind) {
    case 'all':
      return ALWAYS
    case 'and':
      return joined(query.queries, 'AND', leaves) ?? ALWAYS
    case 'or':
      return joined(query.queries, 'OR', leaves) ?? NEVER
    case 'not':
      return `NOT (${sqlCondition(query.query, leaves)})`
    case 'text':
      return leaves.text(query)
    case 'field':
      return leaves.field(query)
  }
}

function joined(queries: Query[], word: string, leaves: Leaves): string | undefined {
  if (queries.length === 0) return undefined
  return `(${queries.map((query) => sqlCondition(query, leaves)).join(` ${word} `)})`
}
