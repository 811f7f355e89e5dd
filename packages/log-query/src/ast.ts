/**
 * What a query asks of one event. Values are compared as text without regard to case (`fold`): the
 * number 4624, the text "4624" and the pattern `4624` are equal. The text of a number or boolean is
 * its JSON. A list matches when one of its elements does; null elements never do. An absent or null
 * field, and an empty list, match nothing, so their `not` is true.
 *
 * `timestamp` is a moment, not text: it knows `exists` (always true) and `range`, and no other match
 * ever holds for it.
 */
export type Query =
  | { kind: 'all' }
  /** Of none: true. */
  | { kind: 'and'; queries: Query[] }
  /** Of none: false. */
  | { kind: 'or'; queries: Query[] }
  | { kind: 'not'; query: Query }
  /** Anywhere inside one of the TEXT_FIELDS or the value of any field; each value is looked at alone. */
  | { kind: 'text'; match: Pattern | Regex }
  | FieldQuery

export type FieldQuery = { kind: 'field'; field: string; match: Match }

export type Match = Exists | Pattern | Regex | Range | Cidr | SameAs

/** Present and not null; the empty text is a value. */
type Exists = { kind: 'exists' }

/**
 * The whole value, with wildcards: without any it is equality, without any part the empty text. In
 * `text` it may begin and end anywhere.
 */
export type Pattern = {
  kind: 'pattern'
  parts: PatternPart[]
  isCaseSensitive?: true
}
/** Literal text, any run of characters (also newlines, also none), or exactly one code point. */
export type PatternPart = string | { any: 'run' } | { any: 'one' }

/** RE2 syntax that `checkRegex` finds good, found anywhere in the value. `i` folds as RE2 does. */
export type Regex = { kind: 'regex'; source: string; flags: { i?: true; m?: true; s?: true } }

/**
 * A number as bound compares with values whose text is NUMERIC, as doubles, and holds for no other.
 * A text as bound compares with the text of any value, both folded, by code points. On `timestamp` a
 * bound is a number: milliseconds since 1970. A list matches when one element is within all bounds.
 */
export type Range = {
  kind: 'range'
  gt?: number | string
  gte?: number | string
  lt?: number | string
  lte?: number | string
}

/** RE2 source: what counts as a number. Short enough to be finite in every engine. */
export const NUMERIC = '^[+-]?[0-9]{1,30}([.][0-9]{1,30})?([eE][+-]?[0-9]{1,2})?$'

/** An address inside the network: exactly the texts that `cidrRegex(network)` matches. */
type Cidr = { kind: 'cidr'; network: string }

/** Compared with another field of the same event, folded; of lists any pair of elements. */
export type SameAs = {
  kind: 'same-as'
  field: string
  how: 'equals' | 'startswith' | 'endswith' | 'contains'
}
