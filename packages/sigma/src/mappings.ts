import type { Query } from '@manara/log-query/ast'
import { COMMON_FIELDS } from '@manara/log-query/event'
import type { Logsource } from './rule.ts'

/** Sigma's name of a field → the names it has in events, all of which are looked at. */
export type FieldNames = Record<string, string[]>

/** Says something about every rule whose logsource has these keys; without keys, about every rule. */
export type Mapping = Logsource & {
  /** Which events such a rule looks at; it may depend on what fields are called. */
  condition?: Query | ((namesOf: (field: string) => string[], logsource: Logsource) => Query)
  fields?: FieldNames
  /** The field that a rule means by another with these values, in events that have it. */
  meant?: (field: string, values: unknown[]) => string | undefined
  /** Told with every rule that takes this condition, when it may not be what the author expects. */
  note?: string
  /** Its rules name fields as queries do: `host` is the column. */
  isOurs?: true
}

export type Source = {
  condition: Query
  note: string | undefined
  namesOf(field: string): string[]
  meant(field: string, values: unknown[]): string | undefined
}

/** Of several mappings the first that speaks of a thing decides it: sharp ones and users' own go first. */
export const sourceOf = (logsource: Logsource, mappings: Mapping[]): Source => {
  const fitting = mappings.filter((mapping) =>
    (['product', 'category', 'service'] as const).every(
      (key) => mapping[key] === undefined || mapping[key] === logsource[key],
    ),
  )
  const deciding = fitting.find(({ condition }) => condition !== undefined)
  const isOurs = fitting.some((mapping) => mapping.isOurs)
  const namesOf = (field: string) => {
    if (isOurs) return [field]
    const named = fitting.find(({ fields }) => fields && Object.hasOwn(fields, field))
    return named?.fields?.[field] ?? [originalField(field)]
  }
  const condition = deciding?.condition ?? ({ kind: 'all' } as const)
  return {
    condition: typeof condition === 'function' ? condition(namesOf, logsource) : condition,
    note: deciding?.note,
    namesOf,
    meant: (field, values) =>
      fitting.map((mapping) => mapping.meant?.(field, values)).find(Boolean),
  }
}

const COLUMNS = new Set<string>([...COMMON_FIELDS, 'timestamp'])

/** Sigma means what the event came with, not the columns made of it. */
const originalField = (field: string) => (COLUMNS.has(field) ? `fields.${field}` : field)
