import type { Logger } from '@manara/kit/logging'
import type { VersesEvent } from '@manara/player-contract/verses'
import type { FileStamp } from '../../../ports/card.ts'
import type { Measurement, MeasureSound, SoundLevels } from '../../../ports/sound-levels.ts'
import { soundSpans } from './domain/pauses.ts'
import type { VerseStore } from './verses.store.ts'

export type SearchJob = { reciter: string; surah: number; file: FileStamp }

export type SearchDeps = {
  measure: MeasureSound
  store: Pick<VerseStore, 'keepHeard'>
  /** Decides what follows from what was heard, and says whether the verses are known now. */
  conclude(job: SearchJob): Promise<boolean>
  onProgress(event: VersesEvent): void
  log: Logger
}

export type Search = ReturnType<typeof createSearch>

const MOST_WAITING = 12
const PERCENT_STEP = 10
const MANY = 'many recordings wait to be listened to: ask again later'
const UNANSWERED =
  'the card does not answer where this recording lies: take it out and put it in again'

/** Listens to one recording after the other, and only while nothing plays. */
export function createSearch(deps: SearchDeps) {
  const waiting = new Map<string, SearchJob>()
  /** Files of which nothing came: asked for again and again, each time would keep a thread. */
  const unanswered = new Set<string>()
  let current: { job: SearchJob; abort: AbortController; measurement?: Measurement } | undefined
  let isBusy = false
  let isStopped = false
  let running = Promise.resolve()

  const tell = ({ reciter, surah }: SearchJob, state: VersesEvent['state'], percent: number) =>
    deps.onProgress({ reciter, surah, state, percent })

  function goOn() {
    if (current || isBusy || isStopped) return
    const [next] = waiting.values()
    if (!next) return
    waiting.delete(next.file.path)
    running = listen(next)
  }

  async function listen(job: SearchJob) {
    const abort = new AbortController()
    current = { job, abort }
    let told = 0
    let isHeard = true
    tell(job, 'searching', 0)
    try {
      const measurement = deps.measure(job.file.path, {
        signal: abort.signal,
        onProgress(percent) {
          if (percent < told + PERCENT_STEP) return
          told = percent - (percent % PERCENT_STEP)
          tell(job, 'searching', told)
        },
      })
      current.measurement = measurement
      const levels = await measurement.levels
      isHeard = levels !== undefined
      if (levels) keepHeard(job, levels)
      else unanswered.add(job.file.path)
    } catch (error) {
      // Called off, or the card is gone: it may be asked for again. Otherwise it would fail again.
      if (!abort.signal.aborted) keepProblem(job, (error as Error).message)
    }
    const isKnown = isHeard && !abort.signal.aborted && (await concluded(job))
    current = undefined
    tell(job, isKnown ? 'found' : 'none', 100)
    goOn()
  }

  function keepHeard({ file }: SearchJob, levels: SoundLevels) {
    const duration_ms = levels.below.length * levels.step_ms
    deps.store.keepHeard(file, { duration_ms, spans: soundSpans(levels), problem: '' })
  }

  function keepProblem({ file, surah }: SearchJob, problem: string) {
    try {
      deps.store.keepHeard(file, { duration_ms: 0, spans: undefined, problem })
    } catch (error) {
      // On a full disk nothing can be kept, and the box goes on.
      deps.log.warn({ err: error, surah, problem }, 'finding verses')
    }
  }

  const concluded = (job: SearchJob) =>
    deps.conclude(job).catch((error) => {
      deps.log.warn({ err: error, surah: job.surah }, 'finding verses')
      return false
    })

  return {
    /** Why this one is not taken; undefined when it is. */
    want(job: SearchJob): string | undefined {
      const { path } = job.file
      if (current?.job.file.path === path || waiting.has(path)) return undefined
      if (unanswered.has(path)) return UNANSWERED
      if (waiting.size >= MOST_WAITING || isStopped) return MANY
      waiting.set(path, job)
      goOn()
      return undefined
    },

    /** While something plays, the processor is left to it. */
    setBusy(busy: boolean) {
      if (busy === isBusy) return
      isBusy = busy
      if (busy) current?.measurement?.rest()
      else current?.measurement?.goOn()
      goOn()
    },

    callOff(path: string) {
      waiting.delete(path)
      if (current?.job.file.path === path) current.abort.abort(new Error('called off'))
    },

    /** The card is gone. */
    callOffAll() {
      waiting.clear()
      unanswered.clear()
      current?.abort.abort(new Error('the card is gone'))
    },

    async stop() {
      isStopped = true
      this.callOffAll()
      await running
    },

    /** Resolves when nothing is under way. */
    async settled() {
      while (current) await running
    },
  }
}
