import { unavailable } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import { startThread, type Thread } from '@manara/kit/thread/start-thread'
import type { SharedRules } from '../../../../core/arrivals/matched.ts'
import type { EnabledParser } from '../../normalise/own/own-parsers.ts'
import type { Rejection } from '../piece.ts'
import type { Part, Reading } from './part.ts'
import { PROGRESS, type ReaderCalls, type ReaderData } from './protocol.ts'
import { createReadingTurns } from './reading-turns.ts'
import { sampleReading } from './sample-reading.ts'

const WORKER = new URL('./read-events-worker.ts', import.meta.url)
/** Longer than any event takes, also on a busy machine: it is then kept as text. */
const WORK_MS = 5_000
/** Of the sample: V8 compiles again and again what is used more than it has seen so far. */
const WARM_UP_ROUNDS = 24
/** Deaths of the thread that one request may live through. */
const MOST_DEATHS = 20

export type EventReader = ReturnType<typeof createEventReader>

/** Refused as a whole by an event that the protocol says to refuse it by. */
export type Refused = { refusal: Rejection }

type Open = { reading: Reading; from: number; unread: number[] }

/**
 * Events are read in a thread of their own. One that takes too long ends the thread; another reads
 * on behind it, and the event itself is kept as text.
 */
export function createEventReader(deps: {
  log: Pick<Logger, 'warn'>
  /** Packs events for their store where they are read. */
  packer?: URL | undefined
  /** Modules that say where events are read which of them their listeners have to look at. */
  sieves?: readonly URL[]
  /** Matches rules where events are read. */
  matching?: URL
  workMs?: number
  worker?: URL
}) {
  const { log, packer, sieves = [], matching, workMs = WORK_MS, worker = WORKER } = deps
  const memory = new SharedArrayBuffer(PROGRESS.length * Int32Array.BYTES_PER_ELEMENT)
  const progress = new Int32Array(memory)
  const open = new Map<number, Open>()
  const turns = createReadingTurns()
  let thread: Thread<ReaderCalls> | undefined
  let parsers: EnabledParser[] = []
  let rules: SharedRules | undefined
  let readings = 0
  let hangs = 0
  let isStopped = false
  let watch: NodeJS.Timeout | undefined
  const lookMs = Math.min(1_000, workMs / 2)
  /** How often it was looked at in vain: a machine that was busy with others, or asleep, counts once. */
  let seen = { count: -1, looks: 0 }

  function started(): Thread<ReaderCalls> {
    if (isStopped) throw unavailable('the service is stopping: send it again')
    thread ??= start()
    return thread
  }

  function start(): Thread<ReaderCalls> {
    progress.fill(0)
    const workerData: ReaderData = {
      ...{ progress: memory, packer: packer?.href, sieves: sieves.map(({ href }) => href) },
      matching: matching?.href,
    }
    const fresh = startThread<ReaderCalls>(worker, {
      worker: { workerData, execArgv: [] },
      onDeath(cause) {
        if (thread !== fresh) return
        thread = undefined
        if (isStopped) return
        log.warn({ err: cause }, 'the thread that reads log events failed and starts again')
      },
    })
    if (parsers.length > 0) tellParsers(fresh)
    if (rules) tellRules(fresh)
    return fresh
  }

  function tellParsers(to: Thread<ReaderCalls>) {
    to.call('parsers', [parsers]).catch(() => {})
  }

  function tellRules(to: Thread<ReaderCalls>) {
    to.call('rules', [rules]).catch(() => {})
  }

  /** Whether an event has been under way for too long; only looked at while somebody waits. */
  function look() {
    const count = progress[PROGRESS.count] ?? 0
    const isBusy = progress[PROGRESS.reading] !== 0
    seen = { count, looks: isBusy && count === seen.count ? seen.looks + 1 : 0 }
    if (seen.looks * lookMs >= workMs) leave()
  }

  function leave() {
    const stuck = open.get(progress[PROGRESS.reading] ?? 0)
    stuck?.unread.push(progress[PROGRESS.index] ?? 0)
    hangs += 1
    seen = { count: -1, looks: 0 }
    const left = thread
    thread = undefined
    log.warn('a log event took too long to read: it is kept as text')
    void left?.end()
  }

  function tellFault(err: unknown) {
    log.warn({ err }, 'a log event could not be read: it is kept as text')
  }

  function watchOver() {
    watch ??= setInterval(look, lookMs).unref()
  }

  /** In parts and in their order; ends early with what the protocol refuses the whole by. */
  async function* read(reading: Reading): AsyncGenerator<Part | Refused> {
    const id = ++readings
    const state: Open = {
      reading: { ...reading, body: alone(reading.body) },
      from: 0,
      unread: [],
    }
    open.set(id, state)
    watchOver()
    let on: Thread<ReaderCalls> | undefined
    let isOver = false
    try {
      for (let deaths = 0, parts = 0; ; ) {
        await turns.take(id, parts)
        let asked: Thread<ReaderCalls> | undefined
        let answer: Part | Refused
        try {
          asked = started()
          const refusal = on === asked ? undefined : await begin(asked, id, state)
          on = asked
          answer = refusal ? { refusal } : await asked.call('next', [id])
        } catch (error) {
          if (!asked || asked === thread) throw error
          deaths += 1
          if (deaths > MOST_DEATHS) {
            throw unavailable('the events could not be read: send them again', error)
          }
          continue
        } finally {
          turns.giveBack()
        }
        parts += 1
        isOver = 'refusal' in answer || answer.isLast
        if ('fault' in answer && answer.fault !== undefined) tellFault(answer.fault)
        yield answer
        if ('refusal' in answer || answer.isLast) return
        state.from = answer.from + answer.size + answer.rejections.length
      }
    } finally {
      open.delete(id)
      // Behind its last part the thread has closed it.
      if (!isOver && on && on === thread) void on.call('close', [id]).catch(() => {})
      if (open.size === 0) {
        clearInterval(watch)
        watch = undefined
      }
    }
  }

  const begin = (asked: Thread<ReaderCalls>, id: number, { reading, from, unread }: Open) =>
    asked.call('open', [id, reading, from, unread])

  return {
    /**
     * Before anybody sends events: the first ones would wait for the thread and for its compiler.
     * Those who send meanwhile do not share the thread with it. `take` gets what was read.
     */
    async warmUp(take: (part: Part) => Promise<unknown> = async () => {}) {
      for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
        const taken: Promise<unknown>[] = []
        for await (const part of read(sampleReading(Date.now(), round))) {
          if (isStopped || open.size > 1) return
          if ('size' in part) taken.push(take(part))
        }
        await Promise.all(taken)
      }
    },
    read,
    isReading: () => open.size > 0,
    /** Events that took too long, since the start. */
    hangs: () => hangs,
    /** Also for a thread that starts later. */
    setParsers(enabled: EnabledParser[]) {
      parsers = enabled
      if (thread) tellParsers(thread)
    },
    /** Of which rules a part then says what they match; also for a thread that starts later. */
    setRules(shared: SharedRules | undefined) {
      rules = shared
      if (thread) tellRules(thread)
    },
    async stop() {
      isStopped = true
      await thread?.end()
    },
  }
}

/**
 * A message takes all that a buffer lies in along, so it lies alone. Each thread has a copy, which it
 * can give back: what they share neither knows to be large, and keeps until it happens to clean up.
 */
function alone(body: Buffer | undefined): Buffer | undefined {
  if (!body || body.length === body.buffer.byteLength) return body
  return Buffer.from(new Uint8Array(body).buffer)
}
