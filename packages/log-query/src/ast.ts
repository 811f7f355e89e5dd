/**
 * What a query asks of one event. Values are compared as text without regard to case: the number
 * 4624, the text "4624" and the pattern `4624` are equal. A list matches when one of its elements
 * does; an absent or null field matches nothing, so its `not` is true.
 */
export type Query =
  | { kind: 'all' }
  | { kind: 'and'; queries: Query[] }
  | { kind: 'or'; queries: Query[] }
  | { kind: 'not'; query: Query }
  /** Anywhere inside the message, a common field or the value of any field. */
  | { kind: 'text'; match: Pattern | Regex }
  | { kind: 'field'; field: string; match: Match }

export type Match = Exists | Pattern | Regex | Range | Cidr | SameAs

/** Present and not null; the empty text is a value. */
export type Exists = { kind: 'exists' }

/** The whole value, with wildcards: without any it is equality. In `text` it may begin and end anywhere. */
export type Pattern = {
  kind: 'pattern'
  parts: PatternPart[]
  isCaseSensitive?: true
}
/** Literal text, any run of characters, or exactly one. Two literals never follow each other. */
export type PatternPart = string | { any: 'run' } | { any: 'one' }

/** RE2 syntax, found anywhere in the value. */
export type Regex = { kind: 'regex'; source: string; flags: { i?: true; m?: true; s?: true } }

/** Numbers when the bound and the value are both numeric, else text; on `timestamp` a moment. */
export type Range = {
  kind: 'range'
  gt?: number | string
  gte?: number | string
  lt?: number | string
  lte?: number | string
}

export type Cidr = { kind: 'cidr'; network: string }

/** Compared with another field of the same event. */
export type SameAs = {
  kind: 'same-as'
  field: string
  how: 'equals' | 'startswith' | 'endswith' | 'contains'
}
