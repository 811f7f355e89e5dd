import type { Match } from '@manara/log-query/ast'
import { SigmaError } from './sigma-error.ts'

/** Where a part stands in a date as logs write it, `2026-01-31T22:15:07` or with a space, and its values. */
const PARTS: Record<string, { before: string; after: string; from: number; to: number }> = {
  year: { before: '^', after: '-', from: 1970, to: 2100 },
  month: { before: '^[0-9]{4}-', after: '-', from: 1, to: 12 },
  day: { before: '^[0-9]{4}-[0-9]{2}-', after: '([T ]|$)', from: 1, to: 31 },
  hour: { before: '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]', after: ':', from: 0, to: 23 },
  minute: { before: '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:', after: '', from: 0, to: 59 },
}

const IS: Record<string, (value: number, bound: number) => boolean> = {
  '': (value, bound) => value === bound,
  lt: (value, bound) => value < bound,
  lte: (value, bound) => value <= bound,
  gt: (value, bound) => value > bound,
  gte: (value, bound) => value >= bound,
}

export const isTimePart = (modifier: string): boolean =>
  modifier === 'week' || Object.hasOwn(PARTS, modifier)

/** `hour: 22` and `hour|gte: 22`: the values that are meant, at their place in the text of the date. */
export const timePartOf = (part: string, value: unknown, modifiers: string[]): Match => {
  const [comparison = '', more] = modifiers
  const place = PARTS[part]
  if (!place)
    throw new SigmaError('week cannot be told from the text of a date: write month and day')
  const holds = Object.hasOwn(IS, comparison) ? IS[comparison] : undefined
  if (!holds || more !== undefined)
    throw new SigmaError(`only lt, lte, gt or gte can follow ${part}, not ${more ?? comparison}`)
  const bound = typeof value === 'boolean' || value === '' ? Number.NaN : Number(value)
  const meant = Array.from({ length: place.to - place.from + 1 }, (_, at) => place.from + at)
    .filter((one) => holds(one, bound))
    .map((one) => String(one).padStart(2, '0'))
  if (!Number.isInteger(bound) || meant.length === 0)
    throw new SigmaError(`${part} needs a number of ${place.from} to ${place.to}, not ${value}`)
  return {
    kind: 'regex',
    source: `${place.before}(${meant.join('|')})${place.after}`,
    flags: {},
  }
}
