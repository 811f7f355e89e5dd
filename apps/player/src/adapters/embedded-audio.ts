import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterSteps } from '@manara/kit/after-steps'
import type { AudioEvent, AudioOutput } from '../ports/audio-output.ts'
import type { Call, Condition, Report, WorkerSettings } from './embedded/protocol.ts'
import type { SinkName } from './embedded/sinks/sink.ts'
import type { StreamTimings } from './stream-fetch.ts'

export type EmbeddedOptions = {
  sink: SinkName
  /** The program behind the sink, when it is not the one of that name on the path. */
  command?: string
  /** Where the kernel tells about sound cards, when it is not `/proc/asound`. */
  asound?: string
  timings?: Partial<StreamTimings>
  /** How long a call may take before the worker is taken for stuck and started anew. */
  patience_ms?: number
}

/** Shutting down does not wait for a worker that is stuck. */
const CLOSING_MS = 2000

type Waiting = { resolve(): void; reject(error: Error): void; stopWaiting(): void }

/** Decoders in this process, in a thread of their own: no other program is needed for sound. */
export function createEmbeddedAudio(options: EmbeddedOptions): AudioOutput {
  const { command, asound, timings, patience_ms = 20_000 } = options
  const position = new BigInt64Array(new SharedArrayBuffer(8))
  const listeners = new Set<(event: AudioEvent) => void>()
  const waiting = new Map<number, Waiting>()
  let condition: Condition = { state: 'stopped', duration_ms: 0 }
  let underrun_count = 0
  let volume = 100
  let load = 0
  let calls = 0
  let closed = false
  let worker: Worker | undefined
  let { sink } = options

  const emit = (event: AudioEvent) => {
    for (const listener of listeners) listener(event)
  }

  /** Every report carries the state, so that what a replaced source left behind is set right. */
  function become(next: Condition) {
    const isNew = next.state !== condition.state
    condition = next
    if (isNew) emit({ type: 'state', state: next.state })
  }

  function onReport(report: Report) {
    if ('id' in report) {
      const call = waiting.get(report.id)
      waiting.delete(report.id)
      call?.stopWaiting()
      // What is said about a replaced source says nothing about the one that replaced it.
      if (report.load === load) become(report.condition)
      if (report.error === undefined) call?.resolve()
      else call?.reject(new Error(report.error))
    } else if (report.load === load) {
      const { event } = report
      become(report.condition)
      if (event.type === 'underrun') emit({ type: 'underrun', count: ++underrun_count })
      else if (event.type !== 'state') emit(event)
    }
  }

  function start(): Worker {
    const settings: WorkerSettings = {
      sink,
      volume,
      position: position.buffer as SharedArrayBuffer,
      ...(command && { command }),
      ...(asound && { asound }),
      ...(timings && { timings }),
    }
    const environment = workerEnvironment()
    const started = new Worker(new URL('./embedded/sound-worker.ts', import.meta.url), {
      workerData: settings,
      // The decoders report damage on the console; damage is told by events here.
      stdout: true,
      stderr: true,
      execArgv: [],
      ...(environment && { env: environment }),
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
    })
    started.stdout.resume()
    started.stderr.resume()
    started.on('message', onReport)
    started.on('error', (error) => onDeath(started, error))
    started.on('exit', () => onDeath(started, new Error('it ended')))
    return started
  }

  /** The next call starts another worker. */
  function onDeath(dead: Worker, cause: Error) {
    if (worker !== dead) return
    worker = undefined
    const error = new Error(`the audio worker failed: ${cause.message}`, { cause })
    const wasActive = condition.state !== 'stopped'
    for (const { reject, stopWaiting } of waiting.values()) {
      stopWaiting()
      reject(error)
    }
    waiting.clear()
    become({ state: 'stopped', duration_ms: 0 })
    if (wasActive && !closed) emit({ type: 'ended', reason: 'lost', error: error.message })
  }

  function giveUp(stuck: Worker) {
    onDeath(stuck, new Error('it did not answer'))
    void stuck.terminate()
  }

  /** A file that a dead card keeps must not silence what was loaded since. */
  function onLate(stuck: Worker, id: number, asOf: number) {
    if (asOf === load) return giveUp(stuck)
    waiting.get(id)?.reject(new Error('it did not answer'))
    waiting.delete(id)
  }

  function ask(call: Call, within_ms = patience_ms): Promise<void> {
    if (closed) return Promise.reject(new Error('the audio output is closed'))
    worker ??= start()
    const asked = worker
    const id = ++calls
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const asOf = load
    // An answer may lie there unread on a machine that stood still: its worker is not stuck.
    const stopWaiting = afterSteps(within_ms, () => onLate(asked, id, asOf))
    waiting.set(id, { resolve, reject, stopWaiting })
    asked.postMessage({ id, load, call })
    return promise
  }

  return {
    engine: 'embedded',
    get sink() {
      return sink.startsWith('capture:') ? 'capture' : sink
    },
    async load(source, options = {}) {
      load += 1
      await ask({ name: 'load', source, options })
      volume = options.volume ?? volume
    },
    pause: ({ fade_ms } = {}) => ask({ name: 'pause', fade_ms }),
    resume: ({ falling } = {}) => ask({ name: 'resume', falling }),
    seek: (position_ms, { falling } = {}) => ask({ name: 'seek', position_ms, falling }),
    setSpeed: (percent, { falling } = {}) => ask({ name: 'setSpeed', percent, falling }),
    stop: () => ask({ name: 'stop' }),
    async useOutput(output) {
      sink = output === 'auto' ? options.sink : (output as SinkName)
      if (worker) await ask({ name: 'useSink', sink })
    },
    fade: (level, duration_ms) => ask({ name: 'fade', level, duration_ms }),
    async setVolume(percent) {
      volume = percent
      await ask({ name: 'setVolume', percent })
    },
    snapshot: () => ({
      ...condition,
      // The worker is ahead of its reports: what is not told to have ended keeps its last place.
      position_ms: condition.state === 'stopped' ? 0 : Number(Atomics.load(position, 0)),
      underrun_count,
      volume,
    }),
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      if (closed) return
      if (worker) await ask({ name: 'close' }, CLOSING_MS).catch(() => {})
      closed = true
      const last = worker
      worker = undefined
      // A thread ends only after the last of its calls has come back, which a dead card may never let it.
      const late = sleep(CLOSING_MS, undefined, { ref: false })
      if (last) await Promise.race([last.terminate(), late])
    },
  }
}

/**
 * A worker does not take over the compile cache by itself, and without it strips the types of its
 * modules anew, which leaves 25 MB behind. What it starts needs the rest of the environment.
 */
function workerEnvironment(): NodeJS.ProcessEnv | undefined {
  const cache = getCompileCacheDir()
  // biome-ignore lint/style/noProcessEnv: passed on whole, not read
  return cache ? { ...process.env, NODE_COMPILE_CACHE: dirname(cache) } : undefined
}
