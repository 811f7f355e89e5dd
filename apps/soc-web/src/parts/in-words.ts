/** A value as people write it: a list with commas; what has parts of its own is still JSON. */
export function inWords(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((one) => one === null || typeof one !== 'object')) {
    return value.join(', ')
  }
  return JSON.stringify(value)
}

/** `case_ids` as a person calls it; `is_critical` too. */
export const nameInWords = (name: string) =>
  name.replace(/_ids$/, 's').replace(/_id$/, '').replace(/^is_/, '').replaceAll('_', ' ')
