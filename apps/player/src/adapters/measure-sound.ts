import { Worker } from 'node:worker_threads'
import type { MeasureSound, SoundLevels } from '../ports/sound-levels.ts'
import type { MeasureNews } from './embedded/measure-worker.ts'

/** Threads that cannot end, since a dead card keeps them: one more would be kept as well. */
const MOST_LEFT = 4
let left = 0

/** A thread that is gone afterwards with all its memory; it sleeps while `rest` holds. */
export const measureSound: MeasureSound = (file, { signal, onProgress }) => {
  if (left >= MOST_LEFT) return { levels: Promise.resolve(undefined), rest() {}, goOn() {} }
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL('./embedded/measure-worker.ts', import.meta.url), {
    workerData: { file, gate },
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })
  const setGate = (value: 0 | 1) => {
    Atomics.store(gate, 0, value)
    Atomics.notify(gate, 0)
  }

  const levels = new Promise<SoundLevels | undefined>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    if (signal.aborted) reject(signal.reason)
    worker.on('message', (news: MeasureNews) => {
      if ('percent' in news) onProgress(news.percent)
      else if ('problem' in news) reject(new Error(news.problem))
      else resolve(news.levels)
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('decoding broke off')))
  }).finally(() => {
    left += 1
    void worker.terminate().finally(() => {
      left -= 1
    })
  })

  return { levels, rest: () => setGate(1), goOn: () => setGate(0) }
}
