import { endOfQuoted, unescaped } from './cursor.ts'
import { work } from './work.ts'

const MOST = 200
const LONGEST_NAME = 64

/**
 * `name=value` with blanks, commas or semicolons between the pairs; a value in quotes may hold
 * them. What is no pair is passed over. The first of a name counts.
 */
export function pairsIn(
  text: string,
  { between = ' \t\r\n,;', equals = '=', most = MOST } = {},
): Record<string, string> {
  const pairs: Record<string, string> = {}
  let count = 0
  let at = 0
  // A quote that nothing closes is none, and neither is any after it.
  let areQuotesClosed = true
  work.steps += text.length
  while (at < text.length && count < most) {
    const start = at
    at = endOfName(text, start)
    if (at === start || at - start > LONGEST_NAME || !text.startsWith(equals, at)) {
      while (at < text.length && !isBetween(text, at, between)) at += 1
      while (at < text.length && isBetween(text, at, between)) at += 1
      continue
    }
    const name = text.slice(start, at)
    at += equals.length
    const quote = text[at]
    const isQuote = areQuotesClosed && (quote === '"' || quote === "'")
    const close = isQuote ? endOfQuoted(text, at, quote) : undefined
    if (isQuote && close === undefined) areQuotesClosed = false
    const from = at
    if (close !== undefined) at = close + 1
    else while (at < text.length && !isOneOf(between, text.charCodeAt(at), text, at)) at += 1
    const value =
      close === undefined ? text.slice(from, at) : unescaped(text.slice(from + 1, close), quote)
    if (!Object.hasOwn(pairs, name) && name !== '__proto__') {
      pairs[name] = value
      count += 1
    }
    while (at < text.length && isBetween(text, at, between)) at += 1
  }
  return pairs
}

/** Brackets may open before a name: `[id=1`. */
function isBetween(text: string, at: number, between: string): boolean {
  const code = text.charCodeAt(at)
  return code === 0x5b || code === 0x28 || isOneOf(between, code, text, at)
}

/** No letter of a name stands between pairs, and most letters are of one. */
const isOneOf = (between: string, code: number, text: string, at: number) =>
  !isOfName(code) && between.includes(text[at] ?? '')

/** `from` itself where no name begins: with a letter, or what stands in for one. */
function endOfName(text: string, from: number): number {
  let at = from
  if (text.charCodeAt(at) < 0x41) return at
  while (at < text.length && isOfName(text.charCodeAt(at))) at += 1
  return at
}

/** Letters, digits and `_ . @ / -`. */
const isOfName = (code: number) =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x40 && code <= 0x5a) ||
  (code >= 0x2d && code <= 0x39) ||
  code === 0x5f
