import type { Pattern, PatternPart } from './ast.ts'
import { isRun } from './normalise.ts'
import { comparableParts, type Place, simpleOf } from './pattern-parts.ts'

/** A pattern over one value's text; folded beforehand unless the pattern regards case. */
export type TextTest = (text: string) => boolean

/** The whole text. */
export function compileWhole(pattern: Pattern): TextTest {
  const parts = comparableParts(pattern)
  const simple = simpleOf(parts)
  if (!simple) return compileWildcards(parts)
  const { text: literal, place } = simple
  switch (place) {
    case 'whole':
      return (text) => text === literal
    case 'start':
      return (text) => text.startsWith(literal)
    case 'end':
      return (text) => text.endsWith(literal)
    case 'inside':
      return (text) => text.includes(literal)
  }
}

/** Any of many patterns: one test with lists in it takes a tenth of the room of one test for each. */
export function compileAnyWhole(patterns: Pattern[]): TextTest {
  const texts = { whole: [], start: [], end: [], inside: [] } as Record<Place, string[]>
  const others: TextTest[] = []
  for (const pattern of patterns) {
    const parts = comparableParts(pattern)
    const simple = simpleOf(parts)
    if (simple) texts[simple.place].push(simple.text)
    else others.push(compileWildcards(parts))
  }
  const { whole, start, end, inside } = texts
  return (text) => {
    for (const one of whole) if (text === one) return true
    for (const one of start) if (text.startsWith(one)) return true
    for (const one of end) if (text.endsWith(one)) return true
    for (const one of inside) if (text.includes(one)) return true
    for (const other of others) if (other(text)) return true
    return false
  }
}

/** Anywhere inside the text. */
export function compileInside(pattern: Pattern): TextTest {
  const parts = comparableParts(pattern)
  const [only] = parts
  if (parts.length === 1 && typeof only === 'string') return (text) => text.includes(only)
  return compileWildcards([{ any: 'run' }, ...parts, { any: 'run' }])
}

/**
 * Between runs lie pieces of fixed length in code points. The first and last are anchored; each one
 * between them is taken where it fits first, which is always right and needs no going back.
 */
function compileWildcards(parts: PatternPart[]): TextTest {
  const pieces = splitAtRuns(parts)
  return (text) => matchPieces(pieces, text)
}

type Piece = (string | undefined)[]

function splitAtRuns(parts: PatternPart[]): Piece[] {
  const pieces: Piece[] = [[]]
  for (const part of parts) {
    if (isRun(part)) pieces.push([])
    else pieces.at(-1)?.push(typeof part === 'string' ? part : undefined)
  }
  return pieces
}

function matchPieces(pieces: Piece[], text: string): boolean {
  const [head = [], ...rest] = pieces
  let at = matchAt(head, text, 0)
  const tail = rest.pop()
  if (tail === undefined) return at === text.length
  if (at < 0) return false
  for (const piece of rest) {
    at = matchFrom(piece, text, at)
    if (at < 0) return false
  }
  const start = startOfLast(tail, text)
  return start >= at && matchAt(tail, text, start) === text.length
}

/** Where the piece ends when it begins at `at`; -1 when it does not fit. */
function matchAt(piece: Piece, text: string, at: number): number {
  let end = at
  for (const literal of piece) {
    if (literal === undefined) {
      if (end >= text.length) return -1
      end += codePointLength(text, end)
    } else {
      if (!text.startsWith(literal, end)) return -1
      end += literal.length
    }
  }
  return end
}

function matchFrom(piece: Piece, text: string, from: number): number {
  const [lead] = piece
  for (let at = from; at <= text.length; at += Math.max(1, codePointLength(text, at))) {
    if (lead !== undefined) {
      at = text.indexOf(lead, at)
      if (at < 0) return -1
    }
    const end = matchAt(piece, text, at)
    if (end >= 0) return end
  }
  return -1
}

/** Counted from the end, a code point at a time for every wildcard. */
function startOfLast(piece: Piece, text: string): number {
  let start = text.length
  for (const literal of piece.toReversed()) {
    if (literal !== undefined) start -= literal.length
    else start -= isLowSurrogate(text, start - 1) ? 2 : 1
  }
  return start
}

function codePointLength(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text, at + 1) ? 2 : 1
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}
