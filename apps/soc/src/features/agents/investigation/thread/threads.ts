import { startThread, type Thread } from '@manara/kit/thread/start-thread'
import { nextTurn } from '@manara/kit/turns'
import type { LogRecord } from '@manara/log-query/event'
import { inPieces } from '../../../../ports/log-size.ts'
import type { StoredLog } from '../../../../ports/log-store.ts'
import type { AnalystCalls } from './analyst.ts'

/** A thread that thinks about one thing; every call rejects once it is gone. */
export type AnalystThread = {
  call: Thread<AnalystCalls>['call']
  /** Hands events over in pieces, so that nobody else has to wait for it. */
  take(logs: StoredLog[]): Promise<void>
}

export type Threads = {
  /** Runs `work` with a thread of its own, when one is free; abandoned work costs its thread. */
  use<T>(signal: AbortSignal, work: (thread: AnalystThread) => Promise<T>): Promise<T>
  stop(): Promise<void>
}

// As text some 0.2 MB: about a millisecond of the event loop. Fewer of large events.
const AT_ONCE = 100

/** At most `most` threads, kept for the next piece of work. */
export function createThreads(most: number): Threads {
  const idle: OneThread[] = []
  const waiting: ((thread: OneThread) => void)[] = []
  let count = 0

  async function take(signal: AbortSignal): Promise<OneThread> {
    const free = idle.pop()
    if (free) return free
    if (count < most) {
      count += 1
      return startOne()
    }
    const { promise, resolve, reject } = Promise.withResolvers<OneThread>()
    const leave = () => {
      const place = waiting.indexOf(resolve)
      if (place >= 0) waiting.splice(place, 1)
      reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    waiting.push(resolve)
    return promise.finally(() => signal.removeEventListener('abort', leave))
  }

  function giveBack(thread: OneThread) {
    const next = waiting.shift()
    const healthy = thread.isAlive() ? thread : next ? startOne() : undefined
    if (next && healthy) next(healthy)
    else if (healthy) idle.push(healthy)
    else count -= 1
  }

  return {
    async use(signal, work) {
      signal.throwIfAborted()
      const thread = await take(signal)
      const abandon = () => void thread.end()
      signal.addEventListener('abort', abandon, { once: true })
      try {
        return await work(thread)
      } finally {
        signal.removeEventListener('abort', abandon)
        if (thread.isAlive()) await thread.call('forget', []).catch(() => {})
        giveBack(thread)
      }
    },
    async stop() {
      await Promise.all(idle.splice(0).map((thread) => thread.end()))
    },
  }
}

type OneThread = AnalystThread & { isAlive(): boolean; end(): Promise<void> }

function startOne(): OneThread {
  let isAlive = true
  const { call, end } = startThread<AnalystCalls>(new URL('./analyst-worker.ts', import.meta.url), {
    onDeath: () => {
      isAlive = false
    },
  })
  return {
    call,
    async take(logs) {
      for (const piece of inPieces(logs, { events: AT_ONCE })) {
        await nextTurn()
        await call('take', [JSON.stringify(piece.logs.map(slim))])
      }
    },
    isAlive: () => isAlive,
    async end() {
      isAlive = false
      await end()
    },
  }
}

/** What nobody looks at stays here: the original, and texts that only repeat the fields. */
export function slim({ original: _, received_at: __, ...log }: StoredLog): LogRecord {
  const channel = String(log.fields.Channel ?? '').toLowerCase()
  const isRepeated = channel === 'security' && !String(log.fields.Provider_Name).startsWith('AD FS')
  if (!isRepeated) return log
  const { Message: ___, ...fields } = log.fields
  return { ...log, fields }
}
