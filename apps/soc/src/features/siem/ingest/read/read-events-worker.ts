import { workerData } from 'node:worker_threads'
import { giveBack } from '@manara/kit/give-back'
import { answerCalls, workInBackground } from '@manara/kit/thread/answer-calls'
import { createOwnParsers } from '../../normalise/own/own-parsers.ts'
import { createNewId } from '../new-id.ts'
import { gatherEvents } from './gather-events.ts'
import type { Part } from './part.ts'
import {
  type MatchingMaker,
  type Packer,
  PROGRESS,
  type ReaderCalls,
  type ReaderData,
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
const matching = given.matching
  ? ((await import(given.matching)) as MatchingMaker).createMatching()
  : undefined
const gather = () => gatherEvents(undefined, [])
const gatherMany = () => gatherEvents(packer, sieves, matching)
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
      const { isMany, refusal } = checkReading(reading)
      if (refusal) return refusal
      const known = { from, unread: new Set(unread), newId, own }
      const hear = (index: number) => begin(id, index)
      const next = createEvents(reading, known, hear, isMany ? gatherMany : gather)
      readings.set(id, { next, body })
      isOpen = true
      return undefined
    } finally {
      if (!isOpen) giveBack(body)
    }
  },
  next([id]) {
    try {
      const part = readings.get(id)?.next()
      if (!part) throw new Error(`reading ${id} is not open`)
      if (part.isLast) close(id)
      return part
    } finally {
      progress[PROGRESS.reading] = 0
    }
  },
  close: ([id]) => close(id),
  parsers([enabled]) {
    own.set(enabled)
  },
  rules([shared]) {
    matching?.setRules(shared)
  },
})

function close(id: number) {
  giveBack(readings.get(id)?.body)
  readings.delete(id)
}
