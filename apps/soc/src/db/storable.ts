// JSON writes U+0000 and half a surrogate pair as escapes, that is behind an even number of
// backslashes: typed text that looks like one stays as it is.
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g

/** As `storable` makes text. */
export function storableJson(value: object): string
export function storableJson(value: object | null | undefined): string | null
export function storableJson(value: object | null | undefined): string | null {
  if (!value) return null
  const json = JSON.stringify(value)
  return json.includes('\\u') ? json.replaceAll(UNSTORABLE, '$1\\ufffd') : json
}
