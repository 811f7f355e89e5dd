/**
 * The one spelling of a JSON value that hashes are made over (RFC 8785): object keys sorted by
 * UTF-16 code units, no white space, numbers and strings as ECMAScript writes them. What JSON
 * cannot carry is refused rather than dropped: a hash must stand for all of the value.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return canonicalText(value)
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return canonicalArray(value)
  if (isPlainObject(value)) return canonicalObject(value)
  throw new TypeError(`${typeof value} has no canonical JSON`)
}

// Every audit entry is hashed twice over this: texts grow faster than lists that are joined.
function canonicalArray(value: readonly unknown[]): string {
  let text = '['
  // By number, since holes are to be visited and refused.
  for (let at = 0; at < value.length; at += 1) {
    text += at === 0 ? canonicalJson(value[at]) : `,${canonicalJson(value[at])}`
  }
  return `${text}]`
}

function canonicalObject(value: Record<string, unknown>): string {
  let text = '{'
  for (const key of Object.keys(value).sort()) {
    if (text.length > 1) text += ','
    text += `${canonicalText(key)}:${canonicalJson(value[key])}`
  }
  return `${text}}`
}

// A Date would turn into {}, a Map too: only what JSON.parse could have made may pass.
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

// Nothing in these has to be written otherwise: most names, ids and words.
const PLAIN = /^[\w .:+/-]*$/

function canonicalText(text: string): string {
  if (text.length < 100 && PLAIN.test(text)) return `"${text}"`
  if (!text.isWellFormed()) throw new TypeError('half a surrogate pair has no canonical JSON')
  return JSON.stringify(text)
}
