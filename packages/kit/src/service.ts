import { collectGarbage } from './collect-garbage.ts'
import { StartError } from './errors.ts'

/** How a failure is told that nobody waited for, by a service that goes on. */
export const STRAY = 'something failed that nobody waited for'

export type Running = {
  /** What a person needs first: addresses, first-boot secrets, where data is. */
  banner: string[]
  stop(): Promise<void>
}

/**
 * Starts, then stops on SIGTERM or SIGINT with exit 0. What the owner can mend is one line without
 * a stack. A second signal, or a stop that hangs, ends the process at once.
 */
export async function runService(name: string, start: () => Promise<Running>): Promise<void> {
  const stopping = stopRequest()
  process.on('unhandledRejection', (error) => tellStray(name, error))
  let running: Running
  try {
    running = await start()
  } catch (error) {
    endUnstarted(name, error)
  }
  announce(name, running.banner)
  // Starting leaves much behind.
  collectGarbage()
  await stopping
  // Exiting waits for the threads, and a thread for its engine: what hangs there ends like this alone.
  setTimeout(endAtOnce, STOP_LIMIT_MS).unref()
  try {
    await running.stop()
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${name}: stopping failed: ${(error as Error).stack}\n`)
    process.exit(1)
  }
}

/** What does not start, or not anew, ends: whoever looks after the process starts it again. */
export function endUnstarted(name: string, error: unknown): never {
  process.stderr.write(`${name}: ${explain(error)}\n`)
  process.exit(1)
}

/**
 * Exiting would end the threads first, and DuckDB aborts the process with a core dump when a thread
 * goes away in the middle of its work. What was acknowledged is on disk all the same.
 */
const endAtOnce = () => process.kill(process.pid, 'SIGKILL')

// Service managers are promised an end within 3 s.
const STOP_LIMIT_MS = 2_900

function stopRequest(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt = Number.POSITIVE_INFINITY
    const ask = () => {
      // A terminal and npm both deliver one Ctrl-C, so only a later one means "now".
      if (performance.now() - askedAt > 1_000) endAtOnce()
      askedAt = Math.min(askedAt, performance.now())
      resolve()
    }
    process.on('SIGTERM', ask)
    process.on('SIGINT', ask)
    // Under `npm start` the parent may be killed without a word.
    process.on('disconnect', ask)
  })
}

/** Of a failure that nobody waits for: nothing rests on it, and others' work would end with the process. */
function tellStray(name: string, error: unknown) {
  const what = error instanceof Error ? error.stack : String(error)
  process.stderr.write(`${name}: ${STRAY}: ${what}\n`)
}

/** `npm start` collects the banners of both services over IPC; alone, a service prints its own. */
function announce(name: string, banner: string[]) {
  if (process.send) process.send({ ready: name, banner })
  else process.stdout.write(`${banner.join('\n')}\n`)
}

function explain(error: unknown): string {
  if (error instanceof StartError) return error.message
  const { code, message, stack, syscall } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return `${message}: another program uses this port: end it, or set a free one (README, Configuration)`
  }
  if (code === 'EACCES' && syscall === 'listen') {
    return `${message}: this port is not allowed: set one above 1023 (README, Configuration)`
  }
  if (code === 'EACCES') return `${message}: not allowed`
  return `could not start: ${stack ?? message}`
}
