/** A value as a criterion that means exactly it, whatever was written into it: `*` is no wildcard. */
export function literalCriterion(value: string): string {
  if (/[*?]/.test(value)) return value.replaceAll(/[*?\\]/g, '\\$&')
  // With a wildcard behind it, it is no network any more: nothing else begins so.
  return /^[\da-f.:]+\/\d{1,3}$/i.test(value) ? `${value}*` : value
}
