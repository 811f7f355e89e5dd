import { endOfQuoted } from './cursor.ts'
import { work } from './work.ts'

const MOST = 500

/** The values of a line with `separator` between them; one in quotes may hold it, and `""` is a quote. */
export function separated(text: string, separator = ',', most = MOST): string[] {
  const values: string[] = []
  let at = 0
  // A quote that nothing closes is none, and neither is any after it.
  let areClosed = true
  work.steps += text.length
  while (values.length < most) {
    const isQuote = areClosed && text[at] === '"'
    const quoted = isQuote ? readQuoted(text, at, separator) : undefined
    if (isQuote && !quoted) areClosed = false
    const found = quoted?.end ?? text.indexOf(separator, at)
    const end = found === -1 ? text.length : found
    values.push(quoted?.value ?? text.slice(at, end))
    if (end >= text.length) break
    at = end + separator.length
  }
  return values
}

/** Up to the quote before a separator or the end; undefined when none closes it. */
function readQuoted(text: string, at: number, separator: string) {
  let value = ''
  let from = at + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) {
      work.steps += text.length - from
      return undefined
    }
    work.steps += quote + 1 - from
    value += text.slice(from, quote)
    if (text[quote + 1] === '"') {
      value += '"'
      from = quote + 2
    } else if (quote + 1 === text.length || text.startsWith(separator, quote + 1)) {
      return { value, end: quote + 1 }
    } else {
      value += '"'
      from = quote + 1
    }
  }
}

/** Values with blanks between them, of which those with blanks are in quotes or brackets: access logs. */
export function blankSeparated(text: string, most = MOST): string[] {
  const values: string[] = []
  let at = 0
  let areClosed = true
  work.steps += text.length
  while (at < text.length && values.length < most) {
    if (text[at] === ' ') {
      at += 1
      continue
    }
    const opens = areClosed && (text[at] === '"' || text[at] === '[')
    const close = opens ? closingOf(text, at) : undefined
    if (opens && close === undefined) areClosed = false
    const blank = close === undefined ? text.indexOf(' ', at) : close + 1
    const end = blank === -1 ? text.length : blank
    values.push(close === undefined ? text.slice(at, end) : text.slice(at + 1, close))
    at = end
  }
  return values
}

function closingOf(text: string, at: number): number | undefined {
  if (text[at] === '"') return endOfQuoted(text, at)
  const close = text.indexOf(']', at)
  work.steps += (close === -1 ? text.length : close) - at
  return close === -1 ? undefined : close
}
