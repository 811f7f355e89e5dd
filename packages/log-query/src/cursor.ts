import type { PatternPart } from './ast.ts'
import { hasTooManyWildcards, joinParts, MOST_WILDCARDS } from './normalise.ts'
import type { QueryError } from './query-error.ts'

/** Where reading stands in a query's text. */
export type Cursor = { readonly text: string; at: number }

/** Caught by `parse`: the grammar stays free of results to pass up. */
export function fail(at: number, message: string, hint: string): never {
  const error: QueryError = { message, column: at + 1, hint }
  throw Object.assign(new Error(message), { query: error })
}

export function skipSpace(cursor: Cursor) {
  while (/\s/.test(cursor.text[cursor.at] ?? '')) cursor.at++
}

/** Takes what the sticky regex finds here. */
export function take(cursor: Cursor, sticky: RegExp): RegExpExecArray | undefined {
  sticky.lastIndex = cursor.at
  const found = sticky.exec(cursor.text)
  if (!found) return undefined
  cursor.at += found[0].length
  return found
}

export type Word = {
  at: number
  parts: PatternPart[]
  /** As written, when nothing in it is quoted or escaped. */
  bare: string | undefined
}

/** Characters that mean nothing but themselves, in free text, in a value, in one of a list and in a bound. */
export const TEXT_RUN = /[^\s():"\\*?&|]+/y
export const VALUE_RUN = /[^\s()"\\*?&|]+/y
export const LIST_RUN = /[^\s(),"\\*?&|]+/y
export const BOUND_RUN = /[^\s()\]}"\\*?&|]+/y

/** Plain runs, escapes, wildcards and quoted pieces in a row; empty when none stands here. */
export function readWord(cursor: Cursor, plainRun: RegExp): Word {
  const start = cursor.at
  const parts: PatternPart[] = []
  let isBare = true
  for (;;) {
    const run = take(cursor, plainRun)?.[0]
    if (run) parts.push(run)
    const char = cursor.text[cursor.at]
    if (char === '*' || char === '?') {
      cursor.at++
      parts.push({ any: char === '*' ? 'run' : 'one' })
    } else if (char === '"' || char === '\\') {
      parts.push(char === '"' ? readQuoted(cursor) : readEscape(cursor))
      isBare = false
    } else if ((char === '&' || char === '|') && !isOperator(cursor)) {
      cursor.at++
      parts.push(char)
    } else break
  }
  const written = cursor.text.slice(start, cursor.at)
  if (hasTooManyWildcards(parts)) {
    fail(start, `more than ${MOST_WILDCARDS} wildcards in one word`, 'ask for fewer parts of it')
  }
  return { at: start, parts: joinParts(parts), bare: isBare ? written : undefined }
}

function isOperator({ text, at }: Cursor): boolean {
  return text.startsWith('&&', at) || text.startsWith('||', at)
}

/** Only before a quote or itself does a backslash escape here, so that "C:\Windows" is what it says. */
function readQuoted(cursor: Cursor): string {
  const { text } = cursor
  const start = cursor.at++
  let quoted = ''
  for (;;) {
    quoted += take(cursor, /[^"\\]+/y)?.[0] ?? ''
    const char = text[cursor.at++]
    if (char === '"') return quoted
    if (char === undefined) {
      fail(
        start,
        'the quote is not closed',
        'end it with ", and write \\\\ for a backslash before it',
      )
    }
    const next = text[cursor.at]
    if (next === '"' || next === '\\') cursor.at++
    quoted += next === '"' ? next : char
  }
}

/** A backslash before a letter or digit is itself: `*\cmd.exe` needs no second one. */
function readEscape(cursor: Cursor): string {
  const start = cursor.at++
  const next = cursor.text[cursor.at]
  if (next === undefined) {
    return fail(start, 'a backslash at the end escapes nothing', 'write \\\\ for a backslash')
  }
  if (!/[\x20-\x7e\s]/.test(next) || /[A-Za-z0-9]/.test(next)) return '\\'
  cursor.at++
  return next
}
