import path from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import { handedOverWith } from './hand-over.ts'
import type { Answer, Calls, Question } from './messages.ts'

export type Thread<C extends Calls> = {
  /** Rejects with what the thread threw, or with its death; an abort rejects at once. */
  call<Name extends keyof C & string>(
    name: Name,
    args: Parameters<C[Name]>,
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<C[Name]>>>
  /** Ends the thread, whatever it does; calls that wait reject. */
  end(): Promise<void>
}

type ThreadOptions<News> = {
  worker?: WorkerOptions
  /** What the thread tells without being asked. */
  onNews?(news: News): void
  /** The thread has failed or ended, and answers nothing more. */
  onDeath?(cause: Error): void
}

/** Work beside the event loop. `file` is a module that calls `answerCalls` with the same calls. */
export function startThread<C extends Calls, News = never>(
  file: URL,
  { worker: workerOptions, onNews, onDeath }: ThreadOptions<News> = {},
): Thread<C> {
  const worker = new Worker(file, { name: nameOf(file), ...workerOptions })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let calls = 0
  let death: Error | undefined

  worker.on('message', (answer: Answer) => {
    if ('news' in answer) return onNews?.(answer.news as News)
    if ('stray' in answer) return void Promise.reject(new Error(`${nameOf(file)}: ${answer.stray}`))
    const call = waiting.get(answer.id)
    forget(answer.id)
    if ('error' in answer) call?.reject(errorOf(answer.error, answer.status))
    else call?.resolve(answer.value)
  })
  worker.on('error', (error) => die(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => die(new Error('the thread has ended')))
  worker.unref()

  /** A thread that has nothing to do keeps no process alive. */
  function forget(id: number) {
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
  }

  function die(cause: Error) {
    if (death) return
    death = cause
    for (const call of waiting.values()) call.reject(cause)
    waiting.clear()
    onDeath?.(cause)
  }

  async function ask(name: string, args: unknown[], signal?: AbortSignal): Promise<unknown> {
    if (death) throw death
    signal?.throwIfAborted()
    const id = ++calls
    const call = Promise.withResolvers<unknown>()
    const send = (question: Question, buffers: ArrayBuffer[] = []) =>
      worker.postMessage(question, buffers)
    const cancel = () => {
      send({ cancel: id })
      call.reject(signal?.reason)
    }
    send({ id, name, args }, handedOverWith(args))
    waiting.set(id, call)
    worker.ref()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await call.promise
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  return {
    call: ask as Thread<C>['call'],
    async end() {
      await worker.terminate()
    },
  }
}

/** One question to a thread of its own. */
export async function askThread<C extends Calls, Name extends keyof C & string>(
  file: URL,
  name: Name,
  args: Parameters<C[Name]>,
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<C[Name]>>> {
  const thread = startThread<C>(file)
  try {
    return await thread.call(name, args, signal)
  } finally {
    await thread.end()
  }
}

/** By which the system's tools show it: `log-store` for log-store-worker.ts. */
const nameOf = (file: URL) => path.basename(file.pathname).replace(/(?:-worker)?[.]\w+$/, '')

function errorOf(error: unknown, status: number | undefined): unknown {
  if (status === undefined) return error
  return new AppError(status, error instanceof Error ? error.message : String(error))
}
