import { parentPort, workerData } from 'node:worker_threads'
import { workInBackground } from '@manara/kit/thread/answer-calls'
import type { SoundLevels } from '../../ports/sound-levels.ts'
import { isSilence } from '../patience.ts'
import type { Pcm } from './pcm.ts'
import { openTrack } from './track.ts'

export type MeasureNews =
  | { percent: number }
  | { problem: string }
  | { levels: SoundLevels | undefined }

const STEP_MS = 20
/** The longest surah takes six hours in the slowest style. */
const LONGEST_MS = 10 * 3_600_000

const { file, gate } = workerData as { file: string; gate: Int32Array }
const tell = (news: MeasureNews) => parentPort?.postMessage(news)

workInBackground()
try {
  tell({ levels: await measure() })
} catch (error) {
  if (isSilence(error)) tell({ levels: undefined })
  else tell({ problem: (error as Error).message || 'cannot be read' })
}

async function measure(): Promise<SoundLevels> {
  const track = await openTrack(file)
  try {
    await track.seek(0)
    const steps = createSteps(track.rate)
    let done = 0
    let told = 0
    for (let pcm = await track.next(); pcm; pcm = await track.next()) {
      steps.add(pcm)
      done += pcm.frames
      if (done / track.rate > LONGEST_MS / 1000) throw new Error('is longer than ten hours')
      const percent = track.frames > 0 ? Math.floor((done / track.frames) * 100) : 0
      if (percent > told && percent < 100) tell({ percent })
      told = percent
      // While something plays the processor is left to it.
      Atomics.wait(gate, 0, 1)
    }
    return { step_ms: STEP_MS, below: steps.levels() }
  } finally {
    await track.close()
  }
}

/** The mean power of every 20 ms, in whole decibels. */
function createSteps(rate: number) {
  let below = new Uint8Array(65_536)
  let count = 0
  let power = 0
  let samples = 0
  // Steps are counted from the beginning, so that a rate that 50 does not divide loses no time.
  let end = frameOf(1)
  let frame = 0

  function frameOf(step: number) {
    return Math.round((step * STEP_MS * rate) / 1000)
  }

  function close() {
    if (count === below.length) {
      const longer = new Uint8Array(below.length * 2)
      longer.set(below)
      below = longer
    }
    const decibels = samples > 0 && power > 0 ? -10 * Math.log10(power / samples) : 127
    below[count++] = Math.max(0, Math.min(127, Math.round(decibels)))
    power = 0
    samples = 0
    end = frameOf(count + 1)
  }

  return {
    add({ channels, frames }: Pcm) {
      for (let at = 0; at < frames; at++) {
        for (const channel of channels) {
          const sample = channel[at] as number
          power += sample * sample
        }
        samples += channels.length
        if (++frame >= end) close()
      }
    },
    levels: () => below.slice(0, count),
  }
}
