import { work } from './work.ts'

/** Walks over a line from left to right, never back: every call costs what it takes. */
export function cursorOver(text: string, from = 0) {
  let at = from

  function moveTo(next: number) {
    work.steps += Math.max(1, next - at)
    at = next
  }

  return {
    at: () => at,
    isEnd: () => at >= text.length,
    peek: () => text[at] ?? '',
    /** Takes this text if it comes next. */
    take(expected: string): boolean {
      const isNext = text.startsWith(expected, at)
      moveTo(isNext ? at + expected.length : at)
      return isNext
    },
    skipSpaces() {
      let next = at
      while (isSpace(text.charCodeAt(next))) next += 1
      moveTo(next)
    },
    /** What stands before `mark`, which is taken too; nothing is taken where it does not come. */
    until(mark: string): string | undefined {
      const end = text.indexOf(mark, at)
      if (end === -1) {
        work.steps += text.length - at
        return undefined
      }
      const found = text.slice(at, end)
      moveTo(end + mark.length)
      return found
    },
    /** What stands before one of these characters, or before the end. */
    upTo(characters: string): string {
      let next = at
      while (next < text.length && !characters.includes(text[next] ?? '')) next += 1
      const found = text.slice(at, next)
      moveTo(next)
      return found
    },
    /** The next word, after the spaces before it; the empty text at the end. */
    word(): string {
      let start = at
      while (isSpace(text.charCodeAt(start))) start += 1
      let next = start
      while (next < text.length && !isSpace(text.charCodeAt(next))) next += 1
      moveTo(next)
      return text.slice(start, next)
    },
    digits(): string {
      let next = at
      while (isDigit(text.charCodeAt(next))) next += 1
      const found = text.slice(at, next)
      moveTo(next)
      return found
    },
    /** `"a \"b\""`: what is between the quotes; undefined, and nothing is taken, when it is none. */
    quoted(quote = '"'): string | undefined {
      const end = endOfQuoted(text, at, quote)
      if (end === undefined) return undefined
      const found = unescaped(text.slice(at + 1, end), quote)
      moveTo(end + 1)
      return found
    },
    /** `[10/Oct/2000:13:55:36 -0700]`: what is between; undefined, and nothing is taken, when it is none. */
    bracketed(open = '[', close = ']'): string | undefined {
      const end = text[at] === open ? text.indexOf(close, at) : -1
      if (end === -1) {
        work.steps += text[at] === open ? text.length - at : 1
        return undefined
      }
      const found = text.slice(at + 1, end)
      moveTo(end + 1)
      return found
    },
    rest(): string {
      const found = text.slice(at)
      moveTo(text.length)
      return found
    },
  }
}

/** Where the quote that opens at `at` closes; a backslash takes the next character with it. */
export function endOfQuoted(text: string, at: number, quote = '"'): number | undefined {
  if (text[at] !== quote) return undefined
  for (let next = at + 1; next < text.length; next += 1) {
    if (text[next] === '\\') next += 1
    else if (text[next] === quote) {
      work.steps += next - at
      return next
    }
  }
  work.steps += text.length - at
  return undefined
}

/** Without the backslashes before quotes and backslashes: others belong to the text, as `\d` or `C:\x`. */
export function unescaped(text: string, quote = '"'): string {
  if (!text.includes('\\')) return text
  work.steps += text.length
  let plain = ''
  let from = 0
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    const next = text[at + 1]
    if (next === quote || next === '\\') {
      plain += text.slice(from, at) + next
      from = at + 2
    }
    at += 2
  }
  return plain + text.slice(from)
}

const isSpace = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d)
const isDigit = (code: number) => code >= 0x30 && code <= 0x39
