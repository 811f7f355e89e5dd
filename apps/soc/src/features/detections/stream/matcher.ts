import { Worker } from 'node:worker_threads'
import type { StoredLog } from '../../../ports/log-store.ts'
import type { Found, MatchRule, Unusable } from './rule-set.ts'

type Ask =
  | { ask: 'set'; rules: MatchRule[]; now: number }
  | { ask: 'delete'; ids: string[] }
  // As text: V8 copies one string far quicker than an object of many.
  | { ask: 'match' | 'detect'; logs: string }
export type Question = Ask & { call: number }
export type Answer = { call: number; found?: Found[]; unusable?: Unusable[] }

/** A set of rules beside the event loop; every call rejects once its thread has died. */
export type Matcher = {
  set(rules: MatchRule[], now: number): Promise<Unusable[]>
  delete(ids: string[]): Promise<void>
  match(logs: StoredLog[]): Promise<Found[]>
  detect(logs: StoredLog[]): Promise<Found[]>
  close(): Promise<void>
}

export function startMatcher(): Matcher {
  const worker = new Worker(new URL('./matcher-worker.ts', import.meta.url))
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  let calls = 0
  let death: Error | undefined

  worker.on('message', (answer: Answer) => {
    waiting.get(answer.call)?.resolve(answer)
    waiting.delete(answer.call)
  })
  worker.on('error', (error) => die(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => die(new Error('the thread that matches rules has ended')))

  function die(error: Error) {
    death ??= error
    for (const call of waiting.values()) call.reject(death)
    waiting.clear()
  }

  async function ask(question: Ask): Promise<Answer> {
    if (death) throw death
    const call = calls++
    const answer = Promise.withResolvers<Answer>()
    waiting.set(call, answer)
    worker.postMessage({ ...question, call } satisfies Question)
    return answer.promise
  }
  const look = async (how: 'match' | 'detect', logs: StoredLog[]) =>
    (await ask({ ask: how, logs: JSON.stringify(logs.map(searched)) })).found ?? []

  return {
    set: async (rules, now) => (await ask({ ask: 'set', rules, now })).unusable ?? [],
    async delete(ids) {
      await ask({ ask: 'delete', ids })
    },
    match: (logs) => look('match', logs),
    detect: (logs) => look('detect', logs),
    async close() {
      await worker.terminate()
    },
  }
}

/** No query looks at the original: its fields are there already. */
const searched = ({ original: _, ...log }: StoredLog) => log
