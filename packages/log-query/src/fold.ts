/**
 * The one meaning of "without regard to case": every code point by itself becomes its simple
 * lower-case letter as of Unicode 14. It is what DuckDB's `lower()` does, found equal for every code
 * point. JavaScript differs in three ways, mended here: it looks at the neighbours of `Σ`, makes
 * two code points of `İ`, and knows letters that came later. A code point stays one code point, so
 * `?` counts the same before and after.
 */
export function fold(text: string): string {
  if (text.length <= SHORT && isFoldedAscii(text)) return text
  return NEEDS_CARE.test(text) ? foldEach(text) : text.toLowerCase()
}

const SHORT = 32

/** Most names, numbers and addresses are: seen here, they cost neither a pattern nor a copy. */
function isFoldedAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f || (unit >= 0x41 && unit <= 0x5a)) return false
  }
  return true
}

// The two surrogates lead the blocks with letters younger than Unicode 14.
const NEEDS_CARE = /[\u0130\u03a3\u1c89\ua7cb-\ua7dc\ud803\ud81b]/
const YOUNGER =
  /[\u1c89\ua7cb\ua7cc\ua7ce\ua7d2\ua7d4\ua7da\ua7dc\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}]/u

function foldEach(text: string): string {
  let folded = ''
  for (const char of text) folded += foldOne(char)
  return folded
}

function foldOne(char: string): string {
  if (char === '\u0130') return 'i'
  return YOUNGER.test(char) ? char : char.toLowerCase()
}

/** RE2 source for this very text. */
export function quoteRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** By code points, as the stores' UTF-8 compares; JavaScript's `<` goes by UTF-16 units. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return unitRank(x) - unitRank(y)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above all other units. */
function unitRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
