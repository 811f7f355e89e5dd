import type { Match, Pattern, Query, Range, Regex, SameAs } from './ast.ts'
import { NUMERIC } from './ast.ts'
import { cidrRegex } from './cidr.ts'
import { type Location, type LogRecord, locate } from './event.ts'
import {
  allFolded,
  allTexts,
  type EventView,
  foldedAt,
  remembered,
  type TextLocation,
  type Texts,
  textsAt,
  viewOf,
} from './event-view.ts'
import { compareText, fold } from './fold.ts'
import { compileAnyWhole, compileInside, compileWhole, type TextTest } from './pattern-test.ts'
import { compileRegex } from './regex.ts'
import { regexLiterals } from './regex-literals.ts'
import { testCost } from './test-cost.ts'

export type ViewPredicate = (view: EventView) => boolean

/** One query over many events. */
export function compilePredicate(query: Query): (log: LogRecord) => boolean {
  const matches = compileViewPredicate(query)
  return (log) => matches(viewOf(log))
}

/** For many queries over one event, which then share one view of it. */
export function compileViewPredicate(query: Query): ViewPredicate {
  switch (query.kind) {
    case 'all':
      return () => true
    case 'and':
      return every(
        query.queries.toSorted((a, b) => testCost(a) - testCost(b)).map(compileViewPredicate),
      )
    case 'or':
      return some(compileAlternatives(query.queries))
    case 'not': {
      const matches = compileViewPredicate(query.query)
      return (view) => !matches(view)
    }
    case 'text':
      return compileText(query.match)
    case 'field':
      return compileField(locate(query.field), query.match)
  }
}

function every(tests: ViewPredicate[]): ViewPredicate {
  return (view) => {
    for (const test of tests) if (!test(view)) return false
    return true
  }
}

function some(tests: ViewPredicate[]): ViewPredicate {
  return (view) => {
    for (const test of tests) if (test(view)) return true
    return false
  }
}

/** Patterns of one field are one test. */
function compileAlternatives(queries: Query[]): ViewPredicate[] {
  const groups = Map.groupBy(queries, (query) =>
    query.kind === 'field' && isFolded(query.match) ? query.field : undefined,
  )
  return [...groups].flatMap(([field, group]) => {
    const location = field === undefined ? undefined : locate(field)
    if (group.length === 1 || !location || location.kind === 'timestamp') {
      return group.map(compileViewPredicate)
    }
    const patterns = group.flatMap((query) =>
      query.kind === 'field' && isFolded(query.match) ? [query.match] : [],
    )
    return [foldedTest(location, compileAnyWhole(patterns))]
  })
}

const isFolded = (match: Match): match is Pattern =>
  match.kind === 'pattern' && !match.isCaseSensitive

function compileText(match: Pattern | Regex): ViewPredicate {
  if (match.kind === 'regex') {
    const test = compiledWhenNeeded(match)
    return (view) => allTexts(view).some(test)
  }
  const test = compileInside(match)
  return match.isCaseSensitive
    ? (view) => allTexts(view).some(test)
    : (view) => allFolded(view).some(test)
}

function compileField(location: Location, match: Match): ViewPredicate {
  if (location.kind === 'timestamp') return compileTimestamp(match)
  switch (match.kind) {
    case 'exists':
      return (view) => anyText(textsAt(view, location), () => true)
    case 'pattern':
      return match.isCaseSensitive
        ? rawTest(location, compileWhole(match))
        : foldedTest(location, compileWhole(match))
    case 'regex':
      return regexTest(location, match)
    case 'range':
      return rawTest(location, compileRange(match))
    case 'cidr':
      return rawTest(location, compileCidr(match.network))
    case 'same-as':
      return compileSameAs(location, match)
  }
}

function rawTest(location: TextLocation, test: TextTest): ViewPredicate {
  return (view) => anyText(textsAt(view, location), test)
}

/** Of a thousand regexes hardly one is ever asked, and each takes as much room as a hundred patterns. */
function compiledWhenNeeded(regex: Regex): TextTest {
  let compiled: TextTest | undefined
  return (text) => {
    compiled ??= compileRegex(regex)
    return compiled(text)
  }
}

/** A regex is slow to run: what it cannot do without is looked for first, and it is run once. */
function regexTest(location: TextLocation, regex: Regex): ViewPredicate {
  const run = rawTest(location, compiledWhenNeeded(regex))
  const key = JSON.stringify([location.key, regex.source, regex.flags])
  const matches: ViewPredicate = (view) => remembered(view, key, run)
  const clauses = regexLiterals(regex, 1)
  if (clauses.length === 0) return matches
  const mayMatch = foldedTest(location, (text) =>
    clauses.every((clause) => clause.some((literal) => text.includes(literal))),
  )
  return (view) => mayMatch(view) && matches(view)
}

function foldedTest(location: TextLocation, test: TextTest): ViewPredicate {
  return (view) => anyText(foldedAt(view, location), test)
}

function anyText(texts: Texts, test: TextTest): boolean {
  if (texts === null) return false
  return typeof texts === 'string' ? test(texts) : texts.some(test)
}

function compileTimestamp(match: Match): ViewPredicate {
  if (match.kind === 'exists') return () => true
  if (match.kind !== 'range') return () => false
  const isWithin = withinNumbers(match)
  return ({ log }) => isWithin(log.at)
}

const IS_NUMERIC = new RegExp(NUMERIC)

function compileRange(range: Range): TextTest {
  const { gt, gte, lt, lte } = range
  const bounds = [gt, gte, lt, lte]
  const isWithinNumbers = withinNumbers(range)
  const isWithinTexts = withinTexts(range)
  const hasNumber = bounds.some((bound) => typeof bound === 'number')
  const hasText = bounds.some((bound) => typeof bound === 'string')
  return (text) =>
    (!hasNumber || (IS_NUMERIC.test(text) && isWithinNumbers(Number(text)))) &&
    (!hasText || isWithinTexts(fold(text)))
}

function withinNumbers({ gt, gte, lt, lte }: Range): (value: number) => boolean {
  return (value) =>
    !(typeof gt === 'number' && value <= gt) &&
    !(typeof gte === 'number' && value < gte) &&
    !(typeof lt === 'number' && value >= lt) &&
    !(typeof lte === 'number' && value > lte)
}

function withinTexts({ gt, gte, lt, lte }: Range): TextTest {
  const above = typeof gt === 'string' ? fold(gt) : undefined
  const from = typeof gte === 'string' ? fold(gte) : undefined
  const below = typeof lt === 'string' ? fold(lt) : undefined
  const to = typeof lte === 'string' ? fold(lte) : undefined
  return (text) =>
    !(above !== undefined && compareText(text, above) <= 0) &&
    !(from !== undefined && compareText(text, from) < 0) &&
    !(below !== undefined && compareText(text, below) >= 0) &&
    !(to !== undefined && compareText(text, to) > 0)
}

/** JavaScript's own engine serves: the source has neither a star nor a choice to go back to. */
function compileCidr(network: string): TextTest {
  const source = cidrRegex(network)
  if (source === undefined) return () => false
  const regex = new RegExp(source)
  return (text) => regex.test(text)
}

const COMPARE: Record<SameAs['how'], (text: string, other: string) => boolean> = {
  equals: (text, other) => text === other,
  startswith: (text, other) => text.startsWith(other),
  endswith: (text, other) => text.endsWith(other),
  contains: (text, other) => text.includes(other),
}

function compileSameAs(location: TextLocation, match: SameAs): ViewPredicate {
  const other = locate(match.field)
  if (other.kind === 'timestamp') return () => false
  const compare = COMPARE[match.how]
  return (view) => {
    const others = foldedAt(view, other)
    return anyText(foldedAt(view, location), (text) =>
      anyText(others, (candidate) => compare(text, candidate)),
    )
  }
}
