import {
  type Match,
  NUMERIC,
  type Pattern,
  type Query,
  type Range,
  type Regex,
  type SameAs,
} from './ast.ts'
import { cidrRegex } from './cidr.ts'
import { locate, TEXT_FIELDS } from './event.ts'
import type { TextLocation } from './event-view.ts'
import { fold } from './fold.ts'
import { comparableParts, partsRegex, simpleOf } from './pattern-parts.ts'
import { type Bind, COMPARISONS, sqlCondition } from './sql-condition.ts'

/**
 * The query as a DuckDB condition over the columns of a log table: the common names, `at_ms`, and
 * those of duckdb-fields.ts, of which `vals` also has the common texts that are not in `message`.
 * It is never NULL. Every value of the query goes through `bind`.
 */
export function duckdbCondition(query: Query, bind: Bind): string {
  return sqlCondition(query, {
    text: ({ match }) => textCondition(match, bind),
    field: ({ field, match }) => `coalesce(${fieldCondition(field, match, bind)}, false)`,
  })
}

const TEXT_COLUMNS = TEXT_FIELDS.map((name) => `"${name}"`)
/** Every searched text of an event by itself. */
const ALL_TEXTS = `list_concat([${TEXT_COLUMNS.join(', ')}],
  string_split(CASE WHEN length(sep) = 2 THEN replace(vals, sep[2], sep[1]) ELSE vals END, sep[1]))`

function textCondition(match: Pattern | Regex, bind: Bind): string {
  if (match.kind === 'pattern') {
    const [only, ...others] = match.parts
    if (typeof only === 'string' && others.length === 0 && !mayHoldSeparator(only)) {
      const test = insideTest(only, match.isCaseSensitive, bind)
      // Not in coalesce(): the engine would then look at both texts of every event.
      return `(${test('message')} OR (vals IS NOT NULL AND ${test('vals')}))`
    }
  }
  const test = match.kind === 'regex' ? regexTest(match, bind) : patternInside(match, bind)
  return `coalesce(${anyOf(ALL_TEXTS, test)}, false)`
}

/** Lowering costs as much as all the rest: where a part of the text has no case, that is looked for first. */
function insideTest(text: string, isCaseSensitive: true | undefined, bind: Bind): Test {
  if (isCaseSensitive || !hasCase(text)) {
    const whole = bind(text)
    return (column) => `contains(${column}, ${whole})`
  }
  const folded = bind(fold(text))
  const inside: Test = (column) => `contains(lower(${column}), ${folded})`
  const caseless = longestCaseless(text)
  if (caseless.length < TELLING) return inside
  const first = bind(caseless)
  return (column) => `(contains(${column}, ${first}) AND ${inside(column)})`
}

/** Fewer letters in a row are in most events. */
const TELLING = 3

const longestCaseless = (text: string) =>
  text.split(CASED).reduce((longest, part) => (part.length > longest.length ? part : longest), '')

/** In one text over all values it could run from one value into the next. */
const mayHoldSeparator = (text: string) => [...text].some((char) => char < ' ' || char >= '\ue000')

/** No letter outside of these becomes one of the others when it is lowered. */
const CASED = /[^ -@[-`{-~]+/

/** Addresses and numbers are found without lowering what they are looked for in. */
const hasCase = (text: string) => CASED.test(text)

type Test = (text: string) => string

const anyOf = (list: string, test: Test) =>
  `len(list_filter(${list}, lambda text: coalesce(${test('text')}, false))) > 0`

function fieldCondition(field: string, match: Match, bind: Bind): string {
  const location = locate(field)
  if (location.kind === 'timestamp') {
    if (match.kind === 'exists') return 'true'
    return match.kind === 'range' ? momentCondition(match, bind) : 'false'
  }
  if (match.kind === 'same-as') return sameAsCondition(location, match, bind)
  if (location.kind === 'column') {
    const column = `"${location.column}"`
    return match.kind === 'exists' ? `${column} IS NOT NULL` : testOf(match, bind)(column)
  }
  const name = bind(location.name)
  if (match.kind === 'exists') return `list_contains(string_split(names, sep[1]), ${name})`
  const value = valueAt(name)
  const test = testOf(match, bind)
  const ofList = anyOf(`string_split(${value}, sep[2])`, test)
  return `CASE WHEN length(sep) = 2 THEN ${ofList} ELSE ${test(value)} END`
}

const valueAt = (name: string) =>
  `split_part(vals, sep[1], list_position(string_split(names, sep[1]), ${name}))`

function testOf(match: Exclude<Match, SameAs | { kind: 'exists' }>, bind: Bind): Test {
  switch (match.kind) {
    case 'pattern':
      return patternWhole(match, bind)
    case 'regex':
      return regexTest(match, bind)
    case 'range':
      return rangeTest(match, bind)
    case 'cidr': {
      const source = cidrRegex(match.network)
      if (source === undefined) return () => 'false'
      const regex = bind(source)
      return (text) => `regexp_matches(${text}, ${regex})`
    }
  }
}

function regexTest({ source, flags }: Regex, bind: Bind): Test {
  const letters = Object.keys(flags).join('')
  const regex = bind(letters ? `(?${letters})${source}` : source)
  return (text) => `regexp_matches(${text}, ${regex})`
}

function patternWhole(pattern: Pattern, bind: Bind): Test {
  const { parts, isCaseSensitive } = pattern
  if (parts.length === 0) return (text) => `${text} = ''`
  const isAsItIs =
    isCaseSensitive || parts.every((part) => typeof part !== 'string' || !hasCase(part))
  const read = (text: string) => (isAsItIs ? text : `lower(${text})`)
  const simple = simpleOf(comparableParts(pattern))
  if (!simple) {
    const regex = bind(patternRegex(pattern))
    return (text) => `regexp_full_match(${read(text)}, ${regex})`
  }
  const literal = bind(simple.text)
  switch (simple.place) {
    case 'whole':
      return (text) => `${read(text)} = ${literal}`
    case 'start':
      return (text) => `starts_with(${read(text)}, ${literal})`
    case 'end':
      return (text) => `ends_with(${read(text)}, ${literal})`
    case 'inside':
      return (text) => `contains(${read(text)}, ${literal})`
  }
}

function patternInside(pattern: Pattern, bind: Bind): Test {
  const regex = bind(patternRegex(pattern))
  return (text) => `regexp_matches(${pattern.isCaseSensitive ? text : `lower(${text})`}, ${regex})`
}

const patternRegex = (pattern: Pattern) => `(?s)${partsRegex(comparableParts(pattern))}`

/** A text as bound says nothing about a moment. */
function momentCondition(range: Range, bind: Bind): string {
  const bounds = COMPARISONS.flatMap(([bound, sign]) => {
    const value = range[bound]
    return typeof value === 'number' ? [`at_ms ${sign} ${bind(value)}`] : []
  })
  return bounds.join(' AND ') || 'true'
}

function rangeTest(range: Range, bind: Bind): Test {
  const tests = COMPARISONS.flatMap(([bound, sign]): Test[] => {
    const value = range[bound]
    if (value === undefined) return []
    if (typeof value === 'string') {
      const limit = bind(fold(value))
      return [(text) => `lower(${text}) ${sign} ${limit}`]
    }
    const limit = bind(value)
    return [
      (text) =>
        `CASE WHEN regexp_matches(${text}, '${NUMERIC}') THEN CAST(${text} AS DOUBLE) ${sign} ${limit} END`,
    ]
  })
  return (text) => tests.map((test) => `(${test(text)})`).join(' AND ') || `${text} IS NOT NULL`
}

const HOW = {
  equals: (a: string, b: string) => `${a} = ${b}`,
  startswith: (a: string, b: string) => `starts_with(${a}, ${b})`,
  endswith: (a: string, b: string) => `ends_with(${a}, ${b})`,
  contains: (a: string, b: string) => `contains(${a}, ${b})`,
}

/** True when one value of the one field and one of the other fit. */
function sameAsCondition(location: TextLocation, { field, how }: SameAs, bind: Bind): string {
  const other = locate(field)
  if (other.kind === 'timestamp') return 'false'
  const fits = `coalesce(${HOW[how]('lower(a)', 'lower(b)')}, false)`
  const inner = `len(list_filter(${textsAt(other, bind)}, lambda b: ${fits})) > 0`
  return `len(list_filter(${textsAt(location, bind)}, lambda a: ${inner})) > 0`
}

/** The texts a name stands for, as a DuckDB list; undefined for `timestamp`, which is no text. */
export function duckdbTexts(
  field: string,
  bind: Bind,
  ofList?: (list: string) => string,
): string | undefined {
  const location = locate(field)
  return location.kind === 'timestamp' ? undefined : textsAt(location, bind, ofList)
}

/** Of `timestamp`, where its milliseconds count as a text. */
export const DUCKDB_MOMENT = '[CAST(at_ms AS VARCHAR)]'

/** Each text in one of these places, once: what events are counted by. */
export function duckdbValues(fields: string[], bind: Bind): string {
  const lists = fields.map((field) => duckdbTexts(field, bind, eachOnce) ?? DUCKDB_MOMENT)
  if (lists.length === 1) return lists.join('')
  return `list_distinct(flatten([${lists.map((list) => `coalesce(${list}, [])`).join(', ')}]))`
}

const eachOnce = (list: string) => `list_distinct(${list})`

function textsAt(location: TextLocation, bind: Bind, ofList = (list: string) => list): string {
  if (location.kind === 'column') return `["${location.column}"]`
  const value = valueAt(bind(location.name))
  const list = ofList(`string_split(${value}, sep[2])`)
  return `CASE WHEN length(sep) = 2 THEN ${list} ELSE [${value}] END`
}
