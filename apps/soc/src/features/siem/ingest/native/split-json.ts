import { invalid } from '@manara/kit/errors'

/** Where one JSON value begins and ends in the body. */
export type Span = [start: number, end: number]

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/**
 * The values of a list, of `{"events": […]}`, or that follow one another, found without parsing
 * them: each can be parsed, refused and measured by itself.
 */
export function splitJson(body: Buffer): Iterable<Span> {
  const start = skipBlank(body, 0)
  if (body[start] === 0x5b) return listSpans(body, start, [])
  const [wrapper] =
    /^\{\s*"events"\s*:\s*(?=\[)/.exec(body.toString('latin1', start, start + 64)) ?? []
  if (wrapper) return listSpans(body, start + wrapper.length, [0x7d])
  return rowSpans(body, start)
}

/** `closing` are the bytes that must follow the list's end. */
function* listSpans(body: Buffer, start: number, closing: number[]): Iterable<Span> {
  let at = skipBlank(body, start + 1)
  let isFirst = true
  while (body[at] !== 0x5d) {
    if (!isFirst) {
      if (body[at] !== COMMA) throw malformed(at)
      at = skipBlank(body, at + 1)
    }
    isFirst = false
    const end = valueEnd(body, at)
    yield [at, end]
    at = skipBlank(body, end)
  }
  at = skipBlank(body, at + 1)
  for (const byte of closing) {
    if (body[at] !== byte) throw malformed(at)
    at = skipBlank(body, at + 1)
  }
  if (at < body.length) throw malformed(at)
}

/** Objects one after the other, with or without blanks between them. */
function* rowSpans(body: Buffer, start: number): Iterable<Span> {
  for (let at = start; at < body.length; ) {
    const end = valueEnd(body, at)
    yield [at, end]
    at = skipBlank(body, end)
  }
}

function valueEnd(body: Buffer, start: number): number {
  const first = body[start]
  if (first === QUOTE) return stringEnd(body, start)
  if (first !== 0x7b && first !== 0x5b) return wordEnd(body, start)
  let depth = 0
  for (let at = start; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === QUOTE) at = stringEnd(body, at) - 1
    else if (byte === 0x7b || byte === 0x5b) depth += 1
    else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  throw invalid('body', 'is not valid JSON: it ends within an event')
}

function stringEnd(body: Buffer, start: number): number {
  for (let at = start + 1; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === BACKSLASH) at += 1
    else if (byte === QUOTE) return at + 1
  }
  throw invalid('body', 'is not valid JSON: it ends within a text')
}

/** A number or a word; at least one byte, so that every step gets on. */
function wordEnd(body: Buffer, start: number): number {
  let at = start
  while (at < body.length && /[\w.+-]/.test(String.fromCharCode(body[at] as number))) at += 1
  if (at === start) throw malformed(at)
  return at
}

function skipBlank(body: Buffer, start: number): number {
  let at = start
  while (at < body.length) {
    const byte = body[at]
    // A record separator stands before each value of a JSON text sequence.
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09 && byte !== 0x1e) break
    at += 1
  }
  return at
}

const malformed = (at: number) => invalid('body', `is not valid JSON at byte ${at + 1}`)

/** Lines that are not blank. */
export function* splitLines(body: Buffer): Generator<Span> {
  for (let start = 0; start < body.length; ) {
    const found = body.indexOf(0x0a, start)
    const end = found < 0 ? body.length : found
    const trimmed = body[end - 1] === 0x0d && end > start ? end - 1 : end
    if (skipBlank(body, start) < trimmed) yield [start, trimmed]
    start = end + 1
  }
}
