/**
 * The one spelling of a JSON value that hashes are made over (RFC 8785): object keys sorted by
 * UTF-16 code units, no white space, numbers and strings as ECMAScript writes them. What JSON
 * cannot carry is refused rather than dropped: a hash must stand for all of the value.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${Array.from(value, canonicalElement).join(',')}]`
  if (isPlainObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${canonicalText(key)}:${canonicalJson(value[key])}`)
    return `{${members.join(',')}}`
  }
  if (typeof value === 'string') return canonicalText(value)
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value)
  if (typeof value === 'boolean' || value === null) return String(value)
  throw new TypeError(`${typeof value} has no canonical JSON`)
}

// Array.from visits holes, which map would leave out.
const canonicalElement = (element: unknown) => canonicalJson(element)

// A Date would turn into {}, a Map too: only what JSON.parse could have made may pass.
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function canonicalText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('half a surrogate pair has no canonical JSON')
  return JSON.stringify(text)
}
