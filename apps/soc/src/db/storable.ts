/** PostgreSQL holds neither U+0000 nor half a surrogate pair; what comes from outside may contain either. */
export const storable = (text: string) => text.replaceAll('\0', '\ufffd').toWellFormed()

// JSON writes both as escapes, that is behind an even number of backslashes: typed text that looks
// like one stays as it is.
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g

export function storableJson(value: object | null | undefined): string | null {
  if (!value) return null
  const json = JSON.stringify(value)
  return json.includes('\\u') ? json.replaceAll(UNSTORABLE, '$1\\ufffd') : json
}
