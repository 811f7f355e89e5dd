import { workerData } from 'node:worker_threads'
import { answerCalls, workInBackground } from '@manara/kit/thread/answer-calls'
import { handOver } from '@manara/kit/thread/hand-over'
import { createOwnParsers } from '../../normalise/own/own-parsers.ts'
import { createNewId } from '../new-id.ts'
import type { Part } from './part.ts'
import { type Packer, PROGRESS, type ReaderCalls, type ReaderData } from './protocol.ts'
import { checkReading, createEvents } from './read-events.ts'

workInBackground()

const given = workerData as ReaderData
const progress = new Int32Array(given.progress)
const packer: Packer | undefined = given.packer ? await import(given.packer) : undefined
const newId = createNewId()
const own = createOwnParsers()
const readings = new Map<number, { next(): Part; body: Uint8Array | undefined }>()

function begin(reading: number, index: number) {
  progress[PROGRESS.reading] = reading
  progress[PROGRESS.index] = index
  Atomics.add(progress, PROGRESS.count, 1)
}

answerCalls<ReaderCalls>({
  open([id, given, from, unread]) {
    // A buffer arrives as bytes.
    const body = given.body && Buffer.from(given.body.buffer)
    const reading = { ...given, body }
    let isOpen = false
    try {
      const refusal = checkReading(reading)
      if (refusal) return refusal
      const known = { from, unread: new Set(unread), newId, own }
      const next = createEvents(reading, known, (index) => begin(id, index))
      readings.set(id, { next, body })
      isOpen = true
      return undefined
    } finally {
      if (!isOpen) giveBack(body)
    }
  },
  next([id]) {
    const part = readings.get(id)?.next()
    progress[PROGRESS.reading] = 0
    if (!part) throw new Error(`reading ${id} is not open`)
    if (part.isLast) close(id)
    return packed(part)
  },
  close: ([id]) => close(id),
  parsers([enabled]) {
    own.set(enabled)
  },
})

/** What is packed goes to the store by itself; fewer events are laid together with others before. */
const FEWEST_PACKED = 64

/** Given away with the answer, so that it is not copied. */
function packed(part: Part): Part {
  if (!packer || part.logs.length < FEWEST_PACKED) return part
  const made = packer.packLogs(part.logs)
  return handOver({ ...part, packed: made }, made.bytes)
}

function close(id: number) {
  giveBack(readings.get(id)?.body)
  readings.delete(id)
}

/** At once, instead of when this thread next cleans up. */
function giveBack(body: Uint8Array | undefined) {
  if (body?.buffer instanceof ArrayBuffer) body.buffer.transfer(0)
}
