import { workerData } from 'node:worker_threads'
import { answerCalls, workInBackground } from '@manara/kit/thread/answer-calls'
import { createOwnParsers } from '../../normalise/own/own-parsers.ts'
import { createNewId } from '../new-id.ts'
import type { Part } from './part.ts'
import { PROGRESS, type ReaderCalls } from './protocol.ts'
import { checkReading, createEvents } from './read-events.ts'

workInBackground()

const progress = new Int32Array(workerData as SharedArrayBuffer)
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
    return part
  },
  close: ([id]) => close(id),
  parsers([enabled]) {
    own.set(enabled)
  },
})

function close(id: number) {
  giveBack(readings.get(id)?.body)
  readings.delete(id)
}

/** At once, instead of when this thread next cleans up. */
function giveBack(body: Uint8Array | undefined) {
  if (body?.buffer instanceof ArrayBuffer) body.buffer.transfer(0)
}
