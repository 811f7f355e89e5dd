import { workerData } from 'node:worker_threads'
import { unavailable } from '@manara/kit/errors'
import { answerCalls, tellNews } from '@manara/kit/thread/answer-calls'
import { poolInBackground } from '@manara/kit/thread/pool-in-background'
import { createAnswerPieces } from './answer-pieces.ts'
import { explainFailure } from './disk-room.ts'
import { type Engine, openEngine } from './engine.ts'
import type { LogStoreCalls, LogStoreNews } from './protocol.ts'
import type { StoreSettings } from './store.ts'

/** The only owner of the log files: opening one twice in a process loses rows. */
const settings = workerData as StoreSettings

const answers = createAnswerPieces()
let engine: Promise<Engine> | undefined
let left: Promise<unknown> = Promise.resolve()

answerCalls<LogStoreCalls>({
  run: ([operation, args, limits], signal) =>
    withEngine((open) => {
      const run = open[operation] as (...args: unknown[]) => Promise<unknown>
      return run(...args, { ...limits, signal })
    }),
  search: ([name, request, limits], signal) =>
    withEngine(async (open) => {
      const answer = await open.search(request, { ...limits, signal })
      // Who has gone meanwhile asks for no piece, and has said so already.
      signal.throwIfAborted()
      return answers.first(name, answer)
    }),
  nextPiece: ([name]) => answers.next(name),
  endPieces: ([name]) => answers.forget(name),
  append: ([parts]) => withEngine((open) => open.append(parts)),
  rehearse: ([parts]) => withEngine((open) => open.rehearse(parts)),
  async close() {
    await left
    const open = await engine?.catch(() => undefined)
    await open?.close()
  },
})

async function withEngine<T>(work: (open: Engine) => Promise<T>): Promise<T> {
  const asked = opened()
  try {
    return await work(await asked)
  } catch (error) {
    if (isBeyondUse(error)) leave(asked)
    throw explainFailure(error)
  }
}

/** A store that cannot be opened now may be later: the next call tries again. */
function opened(): Promise<Engine> {
  if (engine) return engine
  const opening = left.then(async () => {
    try {
      const open = await openEngine(
        settings,
        (warning) => tellNews({ warning } satisfies LogStoreNews),
        (damages) => tellNews({ damages } satisfies LogStoreNews),
      )
      // Statements run there, heavy ones too: everybody waits for this thread, and for that of requests.
      poolInBackground()
      return open
    } catch (error) {
      if (engine === opening) engine = undefined
      const why = error instanceof Error ? error.message : String(error)
      throw explainFailure(unavailable(`the log store cannot be opened: ${why}`, error))
    }
  })
  engine = opening
  return opening
}

/** DuckDB does nothing more with a database after a write that went wrong halfway. */
const isBeyondUse = (error: unknown) => /has been invalidated|FATAL/i.test(String(error))

function leave(broken: Promise<Engine>) {
  if (engine !== broken) return
  engine = undefined
  // Two owners of one file at the same time lose rows.
  left = broken.then((open) => open.close()).catch(() => {})
}
