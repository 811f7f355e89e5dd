const TEXT_OID = 25
const HEADER_BYTES = 20
const NO_VALUE = -1

/**
 * Texts as one parameter of the type text[], in the binary spelling of PostgreSQL: neither side has
 * to put a backslash before every quote of a JSON text and take it away again.
 */
export function textArray(values: readonly (string | null | undefined)[]): Buffer {
  let size = HEADER_BYTES
  for (const value of values) size += 4 + (value == null ? 0 : Buffer.byteLength(value))
  const made = Buffer.allocUnsafe(size)
  // One dimension, maybe with nulls, of texts, so many of them, counted from one.
  made.writeInt32BE(1, 0)
  made.writeInt32BE(1, 4)
  made.writeInt32BE(TEXT_OID, 8)
  made.writeInt32BE(values.length, 12)
  made.writeInt32BE(1, 16)
  let at = HEADER_BYTES
  for (const value of values) {
    if (value == null) {
      at = made.writeInt32BE(NO_VALUE, at)
      continue
    }
    const length = made.write(value, at + 4)
    made.writeInt32BE(length, at)
    at += 4 + length
  }
  return made
}

/** An array inside an array of texts, as PostgreSQL reads it from a text. */
export const arrayLiteral = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
