import { invalid } from '@manara/kit/errors'
import { FEW_CHARACTERS, sizeOf } from '../../../../ports/log-size.ts'
import { OVERFLOW } from '../../normalise/fields.ts'
import { keepUnread, UNREAD } from '../../normalise/keep-unread.ts'
import {
  type Came,
  type Incoming,
  type NormalisedLog,
  readCame,
  sealedIn,
  takeApart,
} from '../../normalise/normalise.ts'
import type { OwnParsers } from '../../normalise/own/own-parsers.ts'
import { PARSER } from '../../normalise/parsed.ts'
import { LONGEST_READ } from '../../normalise/recognise.ts'
import { INDEX } from '../other-index.ts'
import type { Piece, Rejection } from '../piece.ts'
import { readSyslog } from '../syslog/read-syslog.ts'
import { outlineOf, piecesOf } from './formats.ts'
import { type Gathering, gatherEvents } from './gather-events.ts'
import type { Part, Reading, SyslogMessage } from './part.ts'

/** Of one request: more would be answered long after its sender has given up. */
const MOST_EVENTS = 500_000
/** A part crosses to the thread that answers requests, which must not wait for it. */
const PART_EVENTS = 512
/** Others read in the same thread; by the clock, of which a busy machine takes most away. */
const PART_MS = 50
/**
 * So many events go through one step of their reading before the next one begins: the code of one step
 * stays in the processor's cache, that of all steps does not fit there.
 */
const STRIDE = 128
/** Large ones take long to find and to take apart: few of them are held so at a time. */
const STRIDE_MS = 4
/** Of a request with fewer, events are laid together with those of others before they are stored. */
const MANY_EVENTS = 64

/** Whether there are many events, and with which one a protocol that takes all or none refuses them. */
export function checkReading({ format, body }: Reading): {
  isMany: boolean
  refusal: Rejection | undefined
} {
  let count = 0
  let refusal: Rejection | undefined
  for (const piece of outlineOf(format, body)) {
    if (format.kind === 'hec' && refusal === undefined) {
      refusal = rejectionOf(piece as Piece, count)
    }
    count += 1
    // An action and its document are two lines.
    if (count > (format.kind === 'elastic' ? 2 * MOST_EVENTS : MOST_EVENTS)) {
      throw invalid('body', `holds more than ${MOST_EVENTS} events: send smaller batches`)
    }
  }
  return { isMany: count >= MANY_EVENTS, refusal }
}

type Known = {
  from: number
  unread: ReadonlySet<number>
  newId(): string
  own: Pick<OwnParsers, 'apply'>
}

/**
 * Reads in parts. `from` events were read before, and those in `unread` are kept as they came;
 * `begin` hears of every event before it is read, so that somebody else sees which one takes long,
 * and `gather` keeps what was read of a part.
 */
export function createEvents(
  reading: Reading,
  { from, unread, newId, own }: Known,
  begin: (index: number) => void,
  gather: () => Gathering = () => gatherEvents(undefined, []),
) {
  const { way, format, receivedAt, areUnread = false } = reading
  const arrival = { receivedAt, way: way.replace(/_.*/, ''), newId, memory: new Map() }
  const kinds: string[] = []
  const isAnsweredEach = format.kind === 'elastic' || format.kind === 'document'
  const pieces = piecesOf(format, reading.body, kinds)[Symbol.iterator]()
  let index = 0
  let fault: unknown

  /** Found, and not yet read; those without `came` are still to be taken apart, or never are. */
  let taken: { piece: Piece; came: Came | undefined }[] = []
  let place = 0

  /** The next ones; none at the end. */
  function take() {
    const found: Piece[] = []
    const until = performance.now() + STRIDE_MS
    do {
      begin(index + found.length)
      const { value, done } = pieces.next()
      if (done) break
      found.push(value)
    } while (found.length < STRIDE && performance.now() < until)
    const late = performance.now() + STRIDE_MS
    taken = found.map((piece, at) => ({
      piece,
      came: performance.now() < late ? cameAt(index + at, piece) : undefined,
    }))
    place = 0
  }

  const isLeft = (at: number) => areUnread || unread.has(at)

  function cameAt(at: number, piece: Piece): Came | undefined {
    if (at < from || 'rejected' in piece || isLeft(at)) return undefined
    begin(at)
    try {
      const sent = format.kind === 'syslog' ? readSyslog(piece as SyslogMessage, receivedAt) : piece
      return takeApart(sent, arrival)
    } catch (error) {
      fault = error
      return undefined
    }
  }

  /** One that a parser fails on takes no others with it. */
  function readOne(incoming: Incoming, came: Came | undefined): NormalisedLog {
    begin(index)
    try {
      if (came) return own.apply(readCame(came, arrival), sealedIn(came))
    } catch (error) {
      fault = error
    }
    return keepUnread(incoming, arrival, isLeft(index) ? 'work_limit' : 'failed')
  }

  return function next(): Part {
    const part: Part = {
      ...{ from: index, size: 0, logs: [], rejections: [], kinds: [], named: [] },
      ...{ unread: 0, work: 0, hangs: 0, isLast: false },
    }
    const gathered = gather()
    const first = index
    const until = performance.now() + PART_MS
    let characters = 0
    const isFull = () =>
      part.size >= PART_EVENTS ||
      characters >= FEW_CHARACTERS ||
      (index > first && performance.now() >= until)
    do {
      if (place === taken.length) take()
      const logs: NormalisedLog[] = []
      const sizes: number[] = []
      for (; place < taken.length && !isFull(); place += 1, index += 1) {
        const { piece, came } = taken[place] as (typeof taken)[number]
        if (index < from) {
          part.from = index + 1
          continue
        }
        if (unread.has(index)) part.hangs += 1
        const rejection = rejectionOf(piece, index)
        if (rejection) {
          part.rejections.push(rejection)
          continue
        }
        const incoming = piece as Incoming
        const log = readOne(incoming, came ?? cameAt(index, piece))
        const size = count(part, log)
        characters += size
        if (isAnsweredEach) {
          const index = incoming.facts?.[INDEX] ?? incoming.index ?? log.source
          part.named.push({ id: log.id, index: String(index) })
        }
        logs.push(log)
        sizes.push(size)
      }
      gathered.add(logs, sizes)
      part.isLast = taken.length === 0
    } while (!part.isLast && !isFull())
    part.fault = fault
    fault = undefined
    part.kinds = kinds.splice(0, index - first).slice(part.from - first)
    return gathered.into(part)
  }
}

/** Answers how many characters it has. */
function count(part: Part, log: NormalisedLog): number {
  const { length } = log.message
  const { fields } = log
  // Of the longest, those are read whose format may be as long.
  const isLong = length > LONGEST_READ && !(PARSER in fields)
  const isUnread = isLong || UNREAD in fields || OVERFLOW in fields
  part.size += 1
  part.unread += isUnread ? 1 : 0
  part.work += 1 + Math.floor(length / LONGEST_READ)
  return sizeOf(log)
}

function rejectionOf(piece: Piece, index: number): Rejection | undefined {
  if (!('rejected' in piece)) return undefined
  const { rejected, field, isTooLarge } = piece
  return { index, field, message: rejected, isTooLarge }
}
