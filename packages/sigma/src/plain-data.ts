export type Plain = Record<string, unknown>

export const isMap = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const asList = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

/** Numbers and booleans count as text: `author: 42` is a name. Anything deeper is left out. */
export const asText = (value: unknown): string | null =>
  typeof value === 'string'
    ? value.trim()
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : null

export const asTexts = (value: unknown): string[] =>
  asList(value).flatMap((entry) => asText(entry) ?? [])
