import { workerData } from 'node:worker_threads'
import { answerCalls, workInBackground } from '@manara/kit/thread/answer-calls'
import { handOver } from '@manara/kit/thread/hand-over'
import { createOwnParsers } from '../../normalise/own/own-parsers.ts'
import { createNewId } from '../new-id.ts'
import { tallyOf } from '../tally.ts'
import type { Part } from './part.ts'
import {
  type Packer,
  PROGRESS,
  type ReaderCalls,
  type ReaderData,
  type Sieve,
  type SieveMaker,
} from './protocol.ts'
import { checkReading, createEvents } from './read-events.ts'

workInBackground()

const given = workerData as ReaderData
const progress = new Int32Array(given.progress)
const packer: Packer | undefined = given.packer ? await import(given.packer) : undefined
const sieves = await Promise.all(
  given.sieves.map(async (file) => ((await import(file)) as SieveMaker).createSieve()),
)
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
    return bundled(part)
  },
  close: ([id]) => close(id),
  parsers([enabled]) {
    own.set(enabled)
  },
})

/** A bundle goes to the store by itself; fewer events are laid together with others before. */
const FEWEST_BUNDLED = 64

/** Given away with the answer, so that it is not copied. */
function bundled(part: Part): Part {
  const { logs } = part
  if (!packer || logs.length < FEWEST_BUNDLED) return part
  const packed = packer.packLogs(logs)
  const picked = sieves.map((sieve) => pick(sieve, logs))
  const receivedAt = logs[0]?.received_at ?? 0
  const bundle = { packed, text: JSON.stringify(logs), receivedAt, tally: tallyOf(logs), picked }
  return handOver({ ...part, logs: [], bundle }, packed.bytes)
}

function pick(sieve: Sieve, logs: Part['logs']) {
  const places: number[] = []
  for (let place = 0; place < logs.length; place += 1) {
    if (sieve(logs[place] as Part['logs'][number])) places.push(place)
  }
  return { places, logs: places.map((place) => logs[place] as Part['logs'][number]) }
}

function close(id: number) {
  giveBack(readings.get(id)?.body)
  readings.delete(id)
}

/** At once, instead of when this thread next cleans up. */
function giveBack(body: Uint8Array | undefined) {
  if (body?.buffer instanceof ArrayBuffer) body.buffer.transfer(0)
}
