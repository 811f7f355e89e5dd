import { parentPort, workerData } from 'node:worker_threads'
import { workInBackground } from '@manara/kit/background-thread'
import { AppError, unavailable } from '@manara/kit/errors'
import type { StoredLog } from '../../ports/log-store.ts'
import { explainFailure } from './disk-room.ts'
import { type Engine, openEngine } from './engine.ts'
import type { Reply, Request } from './protocol.ts'
import type { StoreSettings } from './store.ts'

workInBackground()

/** The only owner of the log files: opening one twice in a process loses rows. */
const settings = workerData as StoreSettings
const say = (reply: Reply) => parentPort?.postMessage(reply)

const pieces = new Map<number, StoredLog[]>()
const running = new Map<number, AbortController>()
let engine: Promise<Engine> | undefined
let left: Promise<unknown> = Promise.resolve()

parentPort?.on('message', (request: Request) => {
  switch (request.kind) {
    case 'piece':
      return takePiece(request.id, request.logs as StoredLog[], request.isLast)
    case 'call':
      return answer(request.id, (open, signal) =>
        carryOut(open, request.operation, request.args, {
          signal,
          timeLimitMs: request.timeLimitMs,
        }),
      )
    case 'cancel':
      return running.get(request.id)?.abort()
    case 'close':
      return void close(request.id)
  }
})

function takePiece(id: number, logs: StoredLog[], isLast: boolean) {
  const all = pieces.get(id) ?? []
  all.push(...logs)
  pieces.set(id, all)
  if (!isLast) return
  pieces.delete(id)
  answer(id, (open) => open.append(all))
}

function carryOut(open: Engine, operation: keyof Engine, args: unknown[], limits: object) {
  const run = open[operation] as (...args: unknown[]) => Promise<unknown>
  return run(...args, limits)
}

function answer(id: number, work: (open: Engine, signal: AbortSignal) => Promise<unknown>) {
  const abort = new AbortController()
  running.set(id, abort)
  void reply(id, abort.signal, work).finally(() => running.delete(id))
}

async function reply(
  id: number,
  signal: AbortSignal,
  work: (open: Engine, signal: AbortSignal) => Promise<unknown>,
) {
  const asked = opened()
  try {
    say({ id, value: await work(await asked, signal) })
  } catch (error) {
    if (isBeyondUse(error)) leave(asked)
    const told = explainFailure(error)
    const status = told instanceof AppError ? told.status : undefined
    say({ id, error: { status, message: told instanceof Error ? told.message : String(told) } })
  }
}

/** A store that cannot be opened now may be later: the next call tries again. */
function opened(): Promise<Engine> {
  if (engine) return engine
  const opening = left.then(async () => {
    try {
      return await openEngine(settings, (warning) => say({ warning }))
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

async function close(id: number) {
  await left
  const open = await engine?.catch(() => undefined)
  await open?.close()
  say({ id, value: undefined })
  parentPort?.close()
}
