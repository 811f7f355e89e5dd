import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import { isConnectionFailure } from './connection-failure.ts'

export type Worker = {
  /** From now on it looks every `pollMs`, and can be woken. */
  start(): void
  /** There is something to do; calls during a pass lead to one more pass. */
  wake(): void
  stop(): Promise<void>
}

type WorkerOptions = {
  pass(): Promise<boolean>
  isReady(): boolean
  pollMs: number
  /** Asked for after each pass when it depends on what that found. */
  gapMs: number | (() => number)
  /** While true, it rests nineteen times as long as it worked. */
  standsBack?(): boolean
  log: Logger
}

const LEFT_TO_OTHERS = 19
const LONGEST_REST_MS = 20_000

/**
 * Runs `pass` when woken and, since a word may be lost, every `pollMs`. One pass at a time; a pass
 * that answers true found more than it could take and runs again. Between passes that were woken
 * lie at least `gapMs`: under load one pass then does the work of many.
 */
export function createWorker(options: WorkerOptions): Worker {
  // Who wakes it may be a request, which brings along who asks: the work is not theirs.
  const outside = AsyncLocalStorage.snapshot()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWanted = false
  let stopped = false
  let gap: NodeJS.Timeout | undefined
  let restMs = 0

  async function run() {
    isWanted = false
    restMs = 0
    try {
      let isMoreLeft = true
      while (isMoreLeft && options.isReady() && !stopped) {
        const began = performance.now()
        isMoreLeft = await options.pass()
        if (!options.standsBack?.()) continue
        restMs = Math.min(LONGEST_REST_MS, (performance.now() - began) * LEFT_TO_OTHERS)
        isWanted ||= isMoreLeft
        return
      }
    } catch (error) {
      // While the database is away there is nothing to do, and the next poll comes.
      if (!isAway(error) && !stopped) {
        options.log.error({ err: error }, 'background work failed')
      }
    }
  }

  function wake() {
    isWanted = true
    if (!timer || stopped || running || gap) return
    running = outside(run).finally(() => {
      running = undefined
      const gapMs = typeof options.gapMs === 'number' ? options.gapMs : options.gapMs()
      gap = setTimeout(
        () => {
          gap = undefined
          if (isWanted) wake()
        },
        Math.max(gapMs, restMs),
      )
      gap.unref()
    })
  }

  return {
    start() {
      timer ??= setInterval(wake, options.pollMs).unref()
    },
    wake,
    async stop() {
      stopped = true
      clearInterval(timer)
      clearTimeout(gap)
      await running
    },
  }
}

/** Also where a change has put it into words for whoever calls. */
const isAway = (error: unknown) =>
  isConnectionFailure(error) ||
  (error instanceof AppError && isConnectionFailure(error.cause ?? {}))

export type Workers = {
  add(work: Omit<WorkerOptions, 'isReady' | 'log'>): Worker
  start(): void
  stop(): Promise<void>
}

/** Workers of one area: made while composing, started and stopped together. */
export function createWorkers(shared: Pick<WorkerOptions, 'isReady' | 'log'>): Workers {
  const workers: Worker[] = []
  return {
    add(work) {
      const worker = createWorker({ ...shared, ...work })
      workers.push(worker)
      return worker
    },
    start() {
      for (const worker of workers) worker.start()
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}
