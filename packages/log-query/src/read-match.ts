import { type FieldQuery, NUMERIC, type Query, type Range, type Regex, type SameAs } from './ast.ts'
import { cidrRegex } from './cidr.ts'
import {
  BOUND_RUN,
  type Cursor,
  fail,
  readWord,
  skipSpace,
  take,
  VALUE_RUN,
  type Word,
} from './cursor.ts'
import { parseMoment, type Span } from './moment.ts'
import { patternQuery, unescapeSlashes } from './normalise.ts'
import { checkRegex } from './regex.ts'

/** What stands after `field:`, but for a group. */
export function readFieldMatch(
  cursor: Cursor,
  field: string,
  now: number,
  plainRun = VALUE_RUN,
): Query {
  const { at } = cursor
  const sign = take(cursor, /(>=|<=|>|<)\s*/y)?.[1]
  if (sign) return rangeOf(field, [sign, readBound(cursor, field, now)])
  if (/[[{]/.test(cursor.text[at] ?? '')) return readRange(cursor, field, now)
  if (field === 'timestamp') return readMoment(cursor, now)
  if (cursor.text[at] === '/') return { kind: 'field', field, match: readRegex(cursor) }
  const exact = take(cursor, /==?/y)?.[0]
  if (exact) return readExact(cursor, field, exact === '==')
  return readValue(cursor, field, plainRun)
}

function readWholeWord(cursor: Cursor, field: string, plainRun = VALUE_RUN): Word {
  const word = readWord(cursor, plainRun)
  if (cursor.at > word.at) return word
  return fail(
    word.at,
    `a value is missing after ${field}:`,
    `write ${field}:* for any value, ${field}:"" for none`,
  )
}

function readExact(cursor: Cursor, field: string, isCaseSensitive: boolean): Query {
  const { parts } = readWholeWord(cursor, field)
  return patternQuery(field, {
    kind: 'pattern',
    parts,
    ...(isCaseSensitive && { isCaseSensitive: true as const }),
  })
}

/** In single quotes, as SQL has it; only what has no space: log lines put whole sentences into them. */
const QUOTED = /'([^'\s()"\\*?]+)'(?=[\s),&|]|$)/y

function readValue(cursor: Cursor, field: string, plainRun: RegExp): Query {
  const quoted = take(cursor, QUOTED)?.[1]
  const { parts, bare } =
    quoted === undefined
      ? readWholeWord(cursor, field, plainRun)
      : { parts: [quoted], bare: undefined }
  if (bare !== undefined && cursor.text[cursor.at] === '(') return readSameAs(cursor, field, bare)
  if (bare?.includes('/') && cidrRegex(bare)) {
    return { kind: 'field', field, match: { kind: 'cidr', network: bare } }
  }
  // The one field whose value is a sentence: a word of it is what people mean.
  const isPart = field === 'message'
  return patternQuery(field, {
    kind: 'pattern',
    parts: isPart ? [{ any: 'run' }, ...parts, { any: 'run' }] : parts,
  })
}

const HOW = ['equals', 'startswith', 'endswith', 'contains'] as const satisfies SameAs['how'][]

/** `TargetUser:equals(user)`: the other field stands in the parentheses. */
function readSameAs(cursor: Cursor, field: string, word: string): FieldQuery {
  const how = HOW.find((name) => name === word)
  if (!how) {
    return fail(
      cursor.at,
      'a parenthesis inside a value',
      `quote the value, or leave a space before (`,
    )
  }
  cursor.at++
  skipSpace(cursor)
  const { at, parts } = readWord(cursor, VALUE_RUN)
  skipSpace(cursor)
  const [other, ...more] = parts
  if (typeof other !== 'string' || more.length > 0 || cursor.text[cursor.at] !== ')') {
    return fail(at, `${how}( needs one field name`, `write ${field}:${how}(other_field)`)
  }
  cursor.at++
  return { kind: 'field', field, match: { kind: 'same-as', field: other, how } }
}

/** `/…/` with flags: `c` regards case, `m` lets ^ and $ match at lines, `s` lets . match newlines. */
export function readRegex(cursor: Cursor): Regex {
  const start = cursor.at
  const end = closingSlash(cursor)
  const source = unescapeSlashes(cursor.text.slice(start + 1, end))
  cursor.at = end + 1
  const flags = take(cursor, /[a-zA-Z]*/y)?.[0] ?? ''
  if (
    !/^(?:$|[\s()]|&&|\|\|)/.test(cursor.text.slice(cursor.at, cursor.at + 2)) ||
    !/^[cms]*$/.test(flags)
  ) {
    fail(
      end,
      'a regex ends at / and only the flags c, m and s may follow',
      'quote a path or address: "/var/log"',
    )
  }
  const regex: Regex = {
    kind: 'regex',
    source,
    flags: {
      ...(!flags.includes('c') && { i: true }),
      ...(flags.includes('m') && { m: true }),
      ...(flags.includes('s') && { s: true }),
    },
  }
  const problem = checkRegex(regex)
  return problem
    ? fail(start, problem, 'see the RE2 syntax; quote a path or address: "/var/log"')
    : regex
}

function closingSlash({ text, at }: Cursor): number {
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\\') end++
    else if (text[end] === '/') return end
  }
  return fail(at, 'the regex is not closed', 'end it with /, or quote a path: "/var/log"')
}

type Bound = { value: number | string } | { span: Span } | undefined

/** Undefined for `*`, which leaves a side open. */
function readBound(cursor: Cursor, field: string, now: number): Bound {
  const { at, parts, bare } = readWholeWord(cursor, field, BOUND_RUN)
  if (bare === '*') return undefined
  const [text = '', ...more] = parts
  if (typeof text !== 'string' || more.length > 0) {
    return fail(at, 'a bound has no wildcards', 'quote them when they are meant as text: "*"')
  }
  return boundOf(text, bare !== undefined, { at, field, now })
}

type Place = { at: number; field: string; now: number }

export function boundOf(text: string, isBare: boolean, { at, field, now }: Place): Bound {
  if (field === 'timestamp') return { span: toSpan(text, at, now) }
  if (isBare && HAS_UNIT.test(text)) {
    fail(
      at,
      `${text} is no number`,
      `write it in full and without a unit, as 1500000; what is meant as text is quoted`,
    )
  }
  return { value: isBare && IS_NUMERIC.test(text) ? Number(text) : text }
}

const IS_NUMERIC = new RegExp(NUMERIC)

/** As text it would compare letter by letter: 9 would be more than 10MB. */
export const WITH_UNIT =
  '\\d{1,3}(?:,\\d{3})+|\\d+(?:[.]\\d+)?(?:[kKmMgGtT]i?[bB]?|[bB]|%|ns|us|µs|ms|s|m|min|h|d|w)'
const HAS_UNIT = new RegExp(`^(?:${WITH_UNIT})$`)

function toSpan(text: string, at: number, now: number): Span {
  return (
    parseMoment(text, now) ??
    fail(at, 'this is no moment', 'write 2026-03-01, 2026-03-01T12:00:00Z or now-24h')
  )
}

/** Between the bounds; of none it asks whether there is a value. */
export function rangeOf(field: string, ...bounds: [sign: string, Bound][]): Query {
  const isOpen = bounds.every(([, bound]) => bound === undefined)
  return { kind: 'field', field, match: isOpen ? { kind: 'exists' } : toRange(bounds) }
}

const SIGNS = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' } as const

function toRange(bounds: [string, Bound][]): Range {
  const range: Range = { kind: 'range' }
  for (const [sign, bound] of bounds) {
    if (bound === undefined) continue
    if ('value' in bound) range[SIGNS[sign as keyof typeof SIGNS]] = bound.value
    else if (sign.startsWith('>')) range.gte = sign === '>' ? bound.span.to : bound.span.from
    else range.lt = sign === '<' ? bound.span.from : bound.span.to
  }
  return range
}

function readRange(cursor: Cursor, field: string, now: number): Query {
  const start = cursor.at++
  skipSpace(cursor)
  const low = readBound(cursor, field, now)
  skipSpace(cursor)
  if (!take(cursor, /TO\s+/y)) {
    fail(cursor.at, 'a range needs TO', `write ${field}:[1 TO 9], or quote a bracket that is text`)
  }
  const high = readBound(cursor, field, now)
  skipSpace(cursor)
  const close = take(cursor, /[\]}]/y)?.[0]
  if (!close) return fail(start, 'the range is not closed', 'end it with ] or }')
  const above = cursor.text[start] === '[' ? '>=' : '>'
  const below = close === ']' ? '<=' : '<'
  return rangeOf(field, [above, low], [below, high])
}

/** A date alone means all of it: `timestamp:2026-03-01` is that day. */
function readMoment(cursor: Cursor, now: number): Query {
  const { at, parts, bare } = readWholeWord(cursor, 'timestamp')
  if (bare === '*') return { kind: 'field', field: 'timestamp', match: { kind: 'exists' } }
  const [text = ''] = parts
  if (typeof text !== 'string' || parts.length !== 1) {
    return fail(at, 'this is no moment', 'write 2026-03-01, 2026-03-01T12:00:00Z or now-24h')
  }
  const { from, to } = toSpan(text, at, now)
  return { kind: 'field', field: 'timestamp', match: { kind: 'range', gte: from, lt: to } }
}
