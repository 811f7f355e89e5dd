import type { Match, PatternPart } from '@manara/log-query/ast'
import { cidrRegex } from '@manara/log-query/cidr'
import { hasTooManyWildcards, isRun, joinParts, MOST_WILDCARDS } from '@manara/log-query/normalise'
import { checkRegex } from '@manara/log-query/regex'
import { base64Offsets, bytesOf, type WideEncoding } from './encodings.ts'
import { expandPlaceholders, type Placeholders } from './placeholders.ts'
import { readRegex } from './regex.ts'
import { SigmaError } from './sigma-error.ts'
import { isTimePart, timePartOf } from './time-parts.ts'
import { around, readWildcards } from './wildcards.ts'
import { withEveryDash } from './windash.ts'

export type SigmaScalar = string | number | boolean

const RANGES = ['lt', 'lte', 'gt', 'gte'] as const
const WHERE = ['startswith', 'endswith', 'contains'] as const
const WIDE: Record<string, WideEncoding> = {
  wide: 'utf16le',
  utf16le: 'utf16le',
  utf16be: 'utf16be',
  utf16: 'utf16',
}

/** A text on its way through the modifiers; wide characters wait for the base64 that follows. */
type Text = { parts: PatternPart[]; encoding?: WideEncoding }

/** All the matches one value stands for, any of which will do. */
export const readValue = (
  value: SigmaScalar,
  modifiers: string[],
  placeholders: Placeholders,
): Match[] => {
  const [first = '', ...rest] = modifiers
  if (first === 're') return [regexOf(String(value), rest)]
  const range = RANGES.find((known) => known === first)
  if (range) return [rangeOf(range, value, rest)]
  if (first === 'cidr') return [cidrOf(String(value), rest)]
  if (isTimePart(first)) return [timePartOf(first, value, rest)]
  if (first === 'fieldref') return [sameAsOf(String(value), rest)]
  return textsOf(String(value), modifiers, placeholders)
}

const textsOf = (value: string, modifiers: string[], placeholders: Placeholders): Match[] => {
  let texts: Text[] = [{ parts: readWildcards(value) }]
  let isCased = false
  for (const modifier of modifiers) {
    if (modifier === 'cased') isCased = true
    else texts = texts.flatMap((text) => modified(text, modifier, placeholders))
  }
  return texts.map((text): Match => {
    const parts = text.encoding ? [encoded(text).toString('latin1')] : text.parts
    if (parts.length > 0 && parts.every(isRun)) return { kind: 'exists' }
    if (hasTooManyWildcards(parts))
      throw new SigmaError(
        `a value has more than ${MOST_WILDCARDS} wildcards: write fewer, or several values`,
      )
    return { kind: 'pattern', parts, ...(isCased && { isCaseSensitive: true as const }) }
  })
}

const modified = (text: Text, modifier: string, placeholders: Placeholders): Text[] => {
  const { parts } = text
  if (modifier === 'expand')
    return expandPlaceholders(parts, placeholders).map((expanded) => ({ parts: expanded }))
  if (modifier === 'windash')
    return withEveryDash(parts).map((ways) => ({ parts: joinParts(ways) }))
  const encoding = WIDE[modifier]
  if (encoding) return [{ parts, encoding }]
  if (modifier === 'base64') return [{ parts: [encoded(text).toString('base64')] }]
  if (modifier === 'base64offset')
    return base64Offsets(encoded(text)).map((offset) => ({ parts: [offset] }))
  const where = WHERE.find((known) => known === modifier)
  if (where) return [{ parts: around(wholeParts(text), where) }]
  throw new SigmaError(`the modifier ${modifier} is not known or not in its place`)
}

const wholeParts = (text: Text): PatternPart[] =>
  text.encoding ? [encoded(text).toString('latin1')] : text.parts

const encoded = ({ parts, encoding }: Text): Buffer => {
  const [only = '', ...more] = parts
  if (typeof only !== 'string' || more.length > 0)
    throw new SigmaError('a value with wildcards cannot be encoded')
  return bytesOf(only, encoding)
}

const FLAGS: Record<string, 'i' | 'm' | 's'> = {
  i: 'i',
  ignorecase: 'i',
  m: 'm',
  multiline: 'm',
  s: 's',
  dotall: 's',
}

const regexOf = (source: string, modifiers: string[]): Match => {
  const flags: { i?: true; m?: true; s?: true } = {}
  for (const modifier of modifiers) {
    const flag = FLAGS[modifier]
    if (!flag) throw new SigmaError(`the modifier ${modifier} cannot follow re`)
    flags[flag] = true
  }
  const regex = readRegex(source, flags)
  const problem = checkRegex(regex)
  if (problem) throw new SigmaError(`the regular expression ${source} cannot be used: ${problem}`)
  return regex
}

const rangeOf = (
  bound: (typeof RANGES)[number],
  value: SigmaScalar,
  modifiers: string[],
): Match => {
  refuseMore(bound, modifiers)
  const number = typeof value === 'boolean' || value === '' ? Number.NaN : Number(value)
  if (!Number.isFinite(number)) throw new SigmaError(`${bound} needs a number, not ${value}`)
  return { kind: 'range', [bound]: number }
}

const cidrOf = (network: string, modifiers: string[]): Match => {
  refuseMore('cidr', modifiers)
  const withBits = network.includes('/')
    ? network
    : `${network}/${network.includes(':') ? 128 : 32}`
  if (cidrRegex(withBits) === undefined) throw new SigmaError(`${network} is no network`)
  return { kind: 'cidr', network: withBits }
}

const sameAsOf = (name: string, modifiers: string[]): Match => {
  const [how, ...rest] = modifiers
  refuseMore('fieldref', rest)
  const where = WHERE.find((known) => known === how)
  if (how !== undefined && !where) refuseMore('fieldref', [how])
  return { kind: 'same-as', field: name, how: where ?? 'equals' }
}

const refuseMore = (after: string, [modifier]: string[]) => {
  if (modifier) throw new SigmaError(`the modifier ${modifier} cannot follow ${after}`)
}
