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
  const list = wrappedList(body, start)
  return list === undefined ? rowSpans(body, start) : listSpans(body, list, [0x7d])
}

/** Whether it is a list of objects, or one in `events`. */
export function beginsList(body: Buffer): boolean {
  const start = skipBlank(body, 0)
  if (body[start] === 0x5b) return body[skipBlank(body, start + 1)] === 0x7b
  return wrappedList(body, start) !== undefined
}

const EVENTS = '"events"'

/** Where the list begins in `{"events": […]}`. */
function wrappedList(body: Buffer, start: number): number | undefined {
  if (body[start] !== 0x7b) return undefined
  const name = skipBlank(body, start + 1)
  const colon = skipBlank(body, name + EVENTS.length)
  if (body[colon] !== 0x3a) return undefined
  const list = skipBlank(body, colon + 1)
  const isList = body[list] === 0x5b
  return isList && body.toString('latin1', name, name + EVENTS.length) === EVENTS ? list : undefined
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
    const end = endOfValue(body, at)
    yield [at, end]
    at = skipBlank(body, end)
  }
  at = skipBlank(body, at + 1)
  for (const byte of closing) {
    if (body[at] === COMMA)
      throw invalid('events', 'must be the only name: an event with such a name is sent in a list')
    if (body[at] !== byte) throw malformed(at)
    at = skipBlank(body, at + 1)
  }
  if (at < body.length) throw malformed(at)
}

/** Objects one after the other, with or without blanks between them. */
function* rowSpans(body: Buffer, start: number): Iterable<Span> {
  for (let at = start; at < body.length; ) {
    const end = endOfValue(body, at)
    yield [at, end]
    at = skipBlank(body, end)
  }
}

export function endOfValue(body: Buffer, start: number): number {
  const first = body[start]
  if (first === QUOTE) return endOfString(body, start)
  if (first !== 0x7b && first !== 0x5b) return wordEnd(body, start)
  let depth = 0
  for (let at = start; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === QUOTE) at = endOfString(body, at) - 1
    else if (byte === 0x7b || byte === 0x5b) depth += 1
    else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  throw invalid('body', 'is not valid JSON: it ends within an event')
}

export function endOfString(body: Buffer, start: number): number {
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

export function skipBlank(body: Buffer, start: number): number {
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
