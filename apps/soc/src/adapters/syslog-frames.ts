import { StringDecoder } from 'node:string_decoder'

const NEWLINE = 0x0a
const NUL = 0

/**
 * RFC 6587, told apart frame by frame: a length and a space before the message, or a newline (or
 * NUL) after it. A longer message than `mostBytes` is cut, and the rest of its frame passed over.
 */
export function createFrames(mostBytes: number) {
  let rest: Buffer = Buffer.alloc(0)
  /** Bytes of a frame that was cut which are still to come; -1 when a newline will end it. */
  let toSkip = 0

  function push(chunk: Buffer): string[] {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const messages: string[] = []
    const endFrom = createEnds(rest)
    let at = 0
    while (at < rest.length) {
      const next = toSkip === 0 ? readFrame(rest, at, endFrom, messages) : skip(rest, at, endFrom)
      if (next === undefined) break
      at = next
    }
    rest = rest.subarray(at)
    return messages
  }

  function skip(buffer: Buffer, at: number, endFrom: EndFrom): number {
    if (toSkip < 0) {
      const end = endFrom(at)
      if (end === undefined) return buffer.length
      toSkip = 0
      return end + 1
    }
    const skipped = Math.min(toSkip, buffer.length - at)
    toSkip -= skipped
    return at + skipped
  }

  /** Where the next frame begins; undefined when this one is not whole yet. */
  function readFrame(
    buffer: Buffer,
    at: number,
    endFrom: EndFrom,
    messages: string[],
  ): number | undefined {
    const counted = countAt(buffer, at)
    if (counted === 'unknown') return undefined
    if (counted) return readCounted(buffer, counted, messages)
    const end = endFrom(at)
    if (end === undefined) {
      if (buffer.length - at < mostBytes) return undefined
      messages.push(decode(buffer.subarray(at, at + mostBytes)))
      toSkip = -1
      return at + mostBytes
    }
    if (end > at) messages.push(decode(buffer.subarray(at, Math.min(end, at + mostBytes))))
    return end + 1
  }

  function readCounted(
    buffer: Buffer,
    { from, length }: { from: number; length: number },
    messages: string[],
  ): number | undefined {
    const kept = Math.min(length, mostBytes)
    if (buffer.length - from < kept) return undefined
    messages.push(decode(buffer.subarray(from, from + kept)))
    toSkip = length - kept
    return from + kept
  }

  /** What the sender did not get to end before it closed. */
  function end(): string[] {
    const counted = countAt(rest, 0)
    const from = typeof counted === 'object' ? counted.from : 0
    const last = toSkip === 0 ? rest.toString('utf8', from).trim() : ''
    rest = Buffer.alloc(0)
    return last === '' ? [] : [last]
  }

  return { push, end }
}

/** `123 <34>…`: digits, a space, and then a priority. */
function countAt(buffer: Buffer, start: number) {
  let at = start
  while (at < buffer.length && at - start < 8 && isDigit(buffer[at])) at += 1
  if (at === start) return undefined
  if (at === buffer.length) return 'unknown' as const
  if (buffer[at] !== 0x20 || buffer[start] === 0x30) return undefined
  if (at + 1 === buffer.length) return 'unknown' as const
  if (buffer[at + 1] !== 0x3c) return undefined
  return { from: at + 1, length: Number(buffer.toString('latin1', start, at)) }
}

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39

type EndFrom = (from: number) => number | undefined

/** Where a frame that begins there ends. Asked from left to right, it looks at no byte twice. */
function createEnds(buffer: Buffer): EndFrom {
  const nextNewline = nextOf(buffer, NEWLINE)
  const nextNul = nextOf(buffer, NUL)
  return (from) => {
    const end = Math.min(nextNewline(from), nextNul(from))
    return end === Infinity ? undefined : end
  }
}

function nextOf(buffer: Buffer, byte: number) {
  let found = -1
  return (from: number): number => {
    if (found < from) found = buffer.indexOf(byte, from)
    if (found < 0) found = Infinity
    return found
  }
}

/** A message that was cut may end within a character: that one is left out. */
export function decode(bytes: Buffer): string {
  return new StringDecoder('utf8').write(bytes).replace(/[\r\n\0]+$/, '')
}
