import { type Span, skipBlank, splitLines } from './split-json.ts'

/** Texts one after the other: lines, but for events of Windows, which are of several. */
export function splitTexts(body: Buffer): Iterable<Span> {
  const start = body.toString('latin1', skipBlank(body, 0), skipBlank(body, 0) + LONGEST_START)
  if (XML.test(start)) return elementSpans(body)
  return NAMED.test(start) ? namedSpans(body) : splitLines(body)
}

const LONGEST_START = 256
const XML = /^(?:<\?xml[^>]*>\s*)?(?:<Events[^>]*>\s*)?<Event[ >]/
/** `03/03/2026 10:00:00 AM` and `LogName=Security`, as Splunk's forwarder begins an event. */
const NAMED = /^(?:\d\d\/\d\d\/\d{4} [^\r\n]{5,24}\r?\n)?LogName=/
const DATE = /^\d\d\/\d\d\/\d{4} .{5,24}$/

const CLOSING = '</Event>'

/** Whatever lines they are on: an export has all on one, and a script in an event has lines. */
function* elementSpans(body: Buffer): Iterable<Span> {
  for (let at = 0; at < body.length; ) {
    const start = body.indexOf('<Event', at)
    // `<Events>` around them is no event. Each search ends where the next begins, however many there are.
    const isAround = start >= 0 && body[start + 6] === 0x73
    const closing = isAround ? '>' : CLOSING
    const end = start < 0 ? -1 : body.indexOf(closing, start)
    yield* otherLines(body, at, end < 0 ? body.length : start)
    if (end < 0) return
    at = end + closing.length
    if (!isAround) yield [start, at]
  }
}

const AROUND = /^\s*(?:<\?xml[^>]*>)?\s*(?:<\/?Events[^>]*>)?\s*$/

function* otherLines(body: Buffer, from: number, until: number): Iterable<Span> {
  for (const [start, end] of splitLines(body.subarray(from, until))) {
    const span: Span = [from + start, from + end]
    if (!AROUND.test(body.toString('latin1', ...span).slice(0, LONGEST_START))) yield span
  }
}

/** From one beginning to the next. */
function* namedSpans(body: Buffer): Iterable<Span> {
  let event: Span | undefined
  let before: Span | undefined
  for (const line of splitLines(body)) {
    if (body.toString('latin1', line[0], line[0] + 8) === 'LogName=') {
      const isDated = before && DATE.test(body.toString('latin1', ...before))
      const start = isDated && before ? before[0] : line[0]
      if (event && event[0] < start) yield [event[0], endBefore(body, start)]
      event = [start, line[1]]
    }
    before = line
  }
  if (event) yield [event[0], endBefore(body, body.length)]
}

function endBefore(body: Buffer, at: number): number {
  let end = at
  while (end > 0 && (body[end - 1] === 0x0a || body[end - 1] === 0x0d)) end -= 1
  return end
}
