import {
  type Match,
  NUMERIC,
  type Pattern,
  type PatternPart,
  type Query,
  type Range,
  type Regex,
  type SameAs,
} from './ast.ts'
import { cidrRegex } from './cidr.ts'
import { COMMON_FIELDS, type CommonField, type Location, locate, TEXT_FIELDS } from './event.ts'
import type { TextLocation } from './event-view.ts'
import { fold } from './fold.ts'
import { comparableParts, partsRegex, simpleOf } from './pattern-parts.ts'
import { type Bind, COMPARISONS, sqlCondition } from './sql-condition.ts'

/**
 * The query as a ClickHouse condition (18.16 and later) over the columns of clickhouse-columns.ts.
 * It is never NULL. Every value of the query goes through `bind`.
 */
export function clickhouseCondition(query: Query, bind: Bind): string {
  return sqlCondition(query, {
    text: ({ match }) => textCondition(match, bind),
    field: ({ field, match }) => fieldCondition(locate(field), match, bind),
  })
}

/** A condition on one text, and which form of the text it wants to see. */
type Test = { form: Form; holds: (text: string) => string }

/**
 * - raw: as it came.
 * - lower: A to Z only. Enough for a literal of ASCII without `i` and `k`.
 * - plain: also İ and K (the sign of Kelvin), the only other characters that fold to ASCII.
 * - folded: as `fold` has it, which was stored for events where plain is not enough.
 */
type Form = 'raw' | 'lower' | 'plain' | 'folded'

const PLAIN = (text: string) =>
  `lower(replaceAll(replaceAll(${text}, '\u0130', 'i'), '\u212a', 'k'))`

function columnAs(form: Form, column: CommonField): string {
  const name = `\`${column}\``
  switch (form) {
    case 'raw':
      return name
    case 'lower':
      return `lower(${name})`
    case 'plain':
      return PLAIN(name)
    case 'folded':
      return `if(empty(folded_columns), ${PLAIN(name)}, if(isNull(${name}), NULL, folded_columns[${COMMON_FIELDS.indexOf(column) + 1}]))`
  }
}

function textsAs(form: Form): string {
  switch (form) {
    case 'raw':
      return 'field_texts'
    case 'lower':
      return `arrayMap(text -> lower(text), field_texts)`
    case 'plain':
      return `arrayMap(text -> ${PLAIN('text')}, field_texts)`
    case 'folded':
      return `if(empty(folded_texts), arrayMap(text -> ${PLAIN('text')}, field_texts), folded_texts)`
  }
}

function formFor(literals: string[]): Form {
  const all = literals.join('')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is meant.
  if (/[^\x00-\x7f]/.test(all)) return 'folded'
  return /[ik]/i.test(all) ? 'plain' : 'lower'
}

function textCondition(match: Pattern | Regex, bind: Bind): string {
  const test = match.kind === 'regex' ? regexTest(match, bind) : insideTest(match, bind)
  const columns = TEXT_FIELDS.map(
    (column) => `ifNull(${test.holds(columnAs(test.form, column))}, 0)`,
  )
  return `(${columns.join(' OR ')} OR arrayExists(text -> ${test.holds('text')}, ${textsAs(test.form)}))`
}

function fieldCondition(location: Location, match: Match, bind: Bind): string {
  if (location.kind === 'timestamp') return timestampCondition(match, bind)
  if (match.kind === 'same-as') return sameAsCondition(location, match, bind)
  if (match.kind === 'exists') {
    return location.kind === 'column'
      ? `isNotNull(\`${location.column}\`)`
      : `has(field_names, ${bind(location.name)})`
  }
  const test = testOf(match, bind)
  if (location.kind === 'column') {
    return `ifNull(${test.holds(columnAs(test.form, location.column))}, 0)`
  }
  const name = bind(location.name)
  // Old servers put a column that the statement calls `name` in the place of one called so here.
  return `arrayExists((own_name, text) -> own_name = ${name} AND ${test.holds('text')}, field_names, ${textsAs(test.form)})`
}

function timestampCondition(match: Match, bind: Bind): string {
  if (match.kind === 'exists') return '1'
  if (match.kind !== 'range') return '0'
  return (
    bounds(match, 'number')
      .map(([sign, value]) => `at ${sign} ${bind(value)}`)
      .join(' AND ') || '1'
  )
}

function testOf(match: Exclude<Match, SameAs | { kind: 'exists' }>, bind: Bind): Test {
  switch (match.kind) {
    case 'pattern':
      return wholeTest(match, bind)
    case 'regex':
      return regexTest(match, bind)
    case 'range':
      return rangeTest(match, bind)
    case 'cidr': {
      const source = cidrRegex(match.network)
      if (source === undefined) return { form: 'raw', holds: () => '0' }
      return matching(source, bind)
    }
  }
}

/**
 * Here a dot means newlines too unless told otherwise. Old servers look for a literal of the source
 * first, and with regard to case: beside an alternative, which never matches, they don't.
 */
function regexTest({ source, flags }: Regex, bind: Bind): Test {
  const letters = `${flags.i ? 'i' : ''}${flags.m ? 'm' : ''}${flags.s ? 's' : '-s'}`
  const scoped = `(?${letters}:${source})`
  const isFolding = flags.i || /\(\?[ms]*i/.test(source)
  return matching(isFolding ? `${scoped}|${NEVER}` : scoped, bind)
}

const NEVER = '[^\\x{0}-\\x{10FFFF}]'

function matching(source: string, bind: Bind): Test {
  const regex = bind(source)
  return { form: 'raw', holds: (text) => `match(${text}, ${regex})` }
}

function wholeTest(pattern: Pattern, bind: Bind): Test {
  if (pattern.parts.length === 0) return { form: 'raw', holds: (text) => `${text} = ''` }
  const { form, parts } = comparable(pattern)
  const simple = simpleOf(parts)
  if (!simple) {
    const regex = bind(`(?s)^(?:${partsRegex(parts)})$`)
    return { form, holds: (text) => `match(${text}, ${regex})` }
  }
  const literal = bind(simple.text)
  switch (simple.place) {
    case 'whole':
      return { form, holds: (text) => `${text} = ${literal}` }
    case 'start':
      return { form, holds: (text) => `startsWith(${text}, ${literal})` }
    case 'end':
      return { form, holds: (text) => `endsWith(${text}, ${literal})` }
    case 'inside':
      return { form, holds: (text) => `position(${text}, ${literal}) > 0` }
  }
}

function insideTest(pattern: Pattern, bind: Bind): Test {
  const { form, parts } = comparable(pattern)
  const [only, ...others] = parts
  if (typeof only !== 'string' || others.length > 0) {
    const regex = bind(`(?s)${partsRegex(parts)}`)
    return { form, holds: (text) => `match(${text}, ${regex})` }
  }
  const inside = bind(only)
  return form === 'lower'
    ? { form: 'raw', holds: (text) => `positionCaseInsensitive(${text}, ${inside}) > 0` }
    : { form, holds: (text) => `position(${text}, ${inside}) > 0` }
}

function comparable(pattern: Pattern): { form: Form; parts: PatternPart[] } {
  const parts = comparableParts(pattern)
  const literals = parts.filter((part) => typeof part === 'string')
  return { form: pattern.isCaseSensitive ? 'raw' : formFor(literals), parts }
}

function bounds(range: Range, type: 'number' | 'string'): [sign: string, value: number | string][] {
  return COMPARISONS.flatMap(([bound, sign]): [string, number | string][] => {
    const value = range[bound]
    return typeof value === type && value !== undefined ? [[sign, value]] : []
  })
}

function rangeTest(range: Range, bind: Bind): Test {
  const numbers = bounds(range, 'number').map(([sign, value]) => `${sign} ${bind(value)}`)
  const texts = bounds(range, 'string').map(
    ([sign, value]) => `${sign} ${bind(fold(String(value)))}`,
  )
  const numeric = bind(NUMERIC)
  return {
    // Digits look the same in every form.
    form: texts.length > 0 ? 'folded' : 'raw',
    holds: (text) => {
      const number = `toFloat64OrZero(replaceRegexpOne(assumeNotNull(${text}), '^[+]', ''))`
      const tests = [
        ...(numbers.length > 0 ? [`match(${text}, ${numeric})`] : []),
        ...numbers.map((comparison) => `${number} ${comparison}`),
        ...texts.map((comparison) => `${text} ${comparison}`),
      ]
      return tests.length > 0 ? `(${tests.join(' AND ')})` : `isNotNull(${text})`
    },
  }
}

const HOW: Record<SameAs['how'], (text: string, other: string) => string> = {
  equals: (text, other) => `${text} = ${other}`,
  startswith: (text, other) => `startsWith(${text}, ${other})`,
  endswith: (text, other) => `endsWith(${text}, ${other})`,
  contains: (text, other) => `(position(${text}, ${other}) > 0 OR empty(${other}))`,
}

/** True when one text of the one field and one of the other fit. */
function sameAsCondition(location: TextLocation, { field, how }: SameAs, bind: Bind): string {
  const other = locate(field)
  if (other.kind === 'timestamp') return '0'
  const [texts, others] = [listAt(location, bind), listAt(other, bind)]
  // A lambda within a lambda sees no columns in old servers: the others are handed in.
  return `arrayExists((one, others) -> arrayExists(other -> ${HOW[how]('one', 'other')}, others), ${texts}, arrayResize([${others}], length(${texts}), ${others}))`
}

function listAt(location: TextLocation, bind: Bind): string {
  if (location.kind === 'field') {
    return `arrayFilter((text, own_name) -> own_name = ${bind(location.name)}, ${textsAs('folded')}, field_names)`
  }
  const column = columnAs('folded', location.column)
  return `arrayFilter(text -> isNotNull(\`${location.column}\`), [ifNull(${column}, '')])`
}
