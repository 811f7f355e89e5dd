import type { FieldValue } from '@manara/log-query/event'
import type { Fields } from '../fields.ts'

/** The names that hold something: nothing, the empty text and a lone dash are left out. */
export function keptFields(found: Record<string, FieldValue | undefined>): Fields {
  const fields: Fields = {}
  for (const name in found) keep(fields, name, found[name])
  return fields
}

/** One of them. */
export function keep(fields: Fields, name: string, value: FieldValue | undefined) {
  if (value === undefined || value === null || value === '' || value === '-') return
  fields[name] = value
}

/** A whole or decimal number as logs write it; undefined for anything else. */
export function numberIn(text: unknown): number | undefined {
  if (typeof text === 'number') return text
  if (typeof text !== 'string' || text === '' || text.length > 20) return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}
