import { workerData } from 'node:worker_threads'
import { answerCalls, workInBackground } from '@manara/kit/thread/answer-calls'
import { createNewId } from '../new-id.ts'
import type { Part } from './part.ts'
import { PROGRESS, type ReaderCalls } from './protocol.ts'
import { checkReading, createEvents } from './read-events.ts'

workInBackground()

const progress = new Int32Array(workerData as SharedArrayBuffer)
const newId = createNewId()
const readings = new Map<number, () => Part>()

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
    const refusal = checkReading(reading)
    if (refusal) return refusal
    const known = { from, unread: new Set(unread), newId }
    readings.set(
      id,
      createEvents(reading, known, (index) => begin(id, index)),
    )
    return undefined
  },
  next([id]) {
    const part = readings.get(id)?.()
    progress[PROGRESS.reading] = 0
    if (!part) throw new Error(`reading ${id} is not open`)
    if (part.isLast) readings.delete(id)
    return part
  },
  close([id]) {
    readings.delete(id)
  },
})
