/** A value as a criterion that means exactly it, whatever was written into it: `*` is no wildcard. */
export function literalCriterion(value: string): string {
  if (/[*?]/.test(value)) return value.replaceAll(/[*?\\]/g, '\\$&')
  // With a wildcard behind it, it is no network any more: nothing else begins so.
  return NETWORK.test(value) ? `${value}*` : value
}

/** Not `1/2`, which may be a port of a switch: `1/24` begins so. */
const NETWORK =
  /^(?:\d+(?:\.\d+){3}|[\da-f:]{0,39}::[\da-f:]{0,39}|(?:[\da-f]{1,4}:){7}[\da-f]{1,4})\/\d{1,3}$/i
