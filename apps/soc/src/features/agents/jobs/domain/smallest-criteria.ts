import type { Criteria } from '@manara/soc-contract/suppressions'

/** An event by the names that criteria use. */
export type Told = Record<string, string | undefined>

/** The most telling first: what comes first is taken where several would do. */
export const TELLING = [
  'process',
  'CommandLine',
  'ParentImage',
  'user',
  'host',
  'src_ip',
  'event_code',
]
const MOST_VALUES = 5
const MOST_FIELDS = 3

/**
 * The fewest fields whose values hold every event that people called false and none that they called
 * true. Of those with as many fields, the ones that hold the least of everything else.
 */
export function smallestCriteria(
  wrong: Told[],
  right: Told[],
  everything: Told[],
): { criteria: Record<string, string[]>; held: number } | undefined {
  const usable = TELLING.filter((field) => {
    const values = valuesOf(wrong, field)
    return values.length > 0 && values.length <= MOST_VALUES && wrong.every((one) => one[field])
  })
  for (let size = 1; size <= MOST_FIELDS; size += 1) {
    const fitting = choose(usable, size)
      .map((fields) => criteriaOf(wrong, fields))
      .filter((criteria) => !right.some((one) => holds(criteria, one)))
      .map((criteria) => ({
        criteria,
        held: everything.filter((one) => holds(criteria, one)).length,
      }))
      .sort((a, b) => a.held - b.held)
    if (fitting[0]) return fitting[0]
  }
  return undefined
}

const valuesOf = (told: Told[], field: string) => [
  ...new Set(told.flatMap((one) => one[field]?.toLowerCase() ?? [])),
]

const criteriaOf = (wrong: Told[], fields: string[]) =>
  Object.fromEntries(fields.map((field) => [field, valuesOf(wrong, field)]))

const holds = (criteria: Record<string, string[]>, one: Told) =>
  Object.entries(criteria).every(([field, values]) =>
    values.includes(one[field]?.toLowerCase() ?? ''),
  )

function choose(fields: string[], size: number): string[][] {
  if (size === 0) return [[]]
  return fields.flatMap((field, index) =>
    choose(fields.slice(index + 1), size - 1).map((rest) => [field, ...rest]),
  )
}

/** As a suppression wants it: one value alone, several as a list, each meant as it is. */
export const asCriteria = (
  criteria: Record<string, string[]>,
  literal: (value: string) => string,
): Criteria =>
  Object.fromEntries(
    Object.entries(criteria).map(([field, values]) => {
      const meant = values.map(literal)
      return [field, meant.length === 1 ? (meant[0] as string) : meant]
    }),
  )
