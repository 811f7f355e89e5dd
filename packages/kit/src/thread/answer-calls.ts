import { constants, getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { giveBackMemory } from '../collect-garbage.ts'
import { collectWhenIdle } from '../collect-when-idle.ts'
import { AppError } from '../errors.ts'
import { handedOverWith } from './hand-over.ts'
import type { Answer, Calls, Question } from './messages.ts'

type Answers<C extends Calls> = {
  [Name in keyof C]: (
    args: Parameters<C[Name]>,
    signal: AbortSignal,
  ) => ReturnType<C[Name]> | Promise<Awaited<ReturnType<C[Name]>>>
}

/** For the module of a worker thread: answers what `startThread` asks. `signal` tells who gave up. */
export function answerCalls<C extends Calls>(answers: Answers<C>) {
  const running = new Map<number, AbortController>()
  collectWhenIdle({ collect: giveBackMemory })
  // It would end this thread with all that others asked of it; the process has to say what happens.
  process.on('unhandledRejection', (error) =>
    say({ stray: error instanceof Error ? `${error.stack}` : String(error) }),
  )

  async function answer(id: number, name: string, args: unknown[]) {
    const abort = new AbortController()
    running.set(id, abort)
    try {
      const value = await answers[name]?.(args as never, abort.signal)
      say({ id, value }, handedOverWith([value]))
    } catch (error) {
      sayError(id, error)
    } finally {
      running.delete(id)
    }
  }

  /** Whoever asked waits for it, also where what it came of cannot be sent. */
  function sayError(id: number, error: unknown) {
    const status = error instanceof AppError ? error.status : undefined
    try {
      say({ id, error, status })
    } catch {
      const { message, stack } = error instanceof Error ? error : new Error(String(error))
      say({ id, error: Object.assign(new Error(message), { stack }), status })
    }
  }

  parentPort?.on('message', (question: Question) => {
    if ('cancel' in question) running.get(question.cancel)?.abort()
    else void answer(question.id, question.name, question.args)
  })
}

/** Tells the one who started this thread something that was not asked for. */
export const tellNews = (news: unknown) => say({ news })

/**
 * On a busy machine the thread that answers requests goes first. Linux gives each thread a priority
 * of its own, also to the threads that this one starts; elsewhere it would be the whole process's.
 */
export function workInBackground(): void {
  const { PRIORITY_BELOW_NORMAL: below } = constants.priority
  // A service that was started with less than this may not give itself more.
  if (process.platform === 'linux' && getPriority() < below) setPriority(below)
}

const say = (answer: Answer, buffers: ArrayBuffer[] = []) =>
  parentPort?.postMessage(answer, buffers)
