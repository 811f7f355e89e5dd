import { startThread, type Thread } from '@manara/kit/thread/start-thread'
import type { StoredLog } from '../../../ports/log-store.ts'
import type { EnabledParser } from '../normalise/own/own-parsers.ts'
import type { RereadAnswer } from './reread-batch.ts'
import type { RereadCalls } from './reread-worker.ts'

const WORKER = new URL('./reread-worker.ts', import.meta.url)
/** Longer than any batch takes, also on a busy machine. */
const MOST_MS = 60_000

/**
 * In a thread of its own. A batch that takes too long ends the thread, and is read again by halves:
 * the event that it was stays as it is.
 */
export function createRereadApart({ worker = WORKER, mostMs = MOST_MS } = {}) {
  let thread: Thread<RereadCalls> | undefined

  async function ask(logs: StoredLog[], parsers: EnabledParser[], mostExamples: number) {
    thread ??= startThread<RereadCalls>(worker, { worker: { execArgv: [] } })
    const asked = thread
    const timer = setTimeout(() => void asked.end(), mostMs)
    try {
      return await asked.call('reread', [logs, parsers, mostExamples])
    } catch {
      thread = undefined
      await asked.end()
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  async function reread(
    logs: StoredLog[],
    parsers: EnabledParser[],
    mostExamples: number,
  ): Promise<RereadAnswer> {
    const answer = await ask(logs, parsers, mostExamples)
    if (answer) return answer
    if (logs.length <= 1) return { changed: [], failed: logs.length, examples: [] }
    const middle = Math.ceil(logs.length / 2)
    const first = await reread(logs.slice(0, middle), parsers, mostExamples)
    const left = mostExamples - first.examples.length
    const second = await reread(logs.slice(middle), parsers, left)
    return {
      changed: [...first.changed, ...second.changed],
      failed: first.failed + second.failed,
      examples: [...first.examples, ...second.examples],
    }
  }

  return {
    reread,
    async end() {
      await thread?.end()
      thread = undefined
    },
  }
}
