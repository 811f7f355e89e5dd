import type { Pcm } from './pcm.ts'

/** So short that it is not heard, and long enough that the cut is not heard as a click. */
const FALL_MS = 10

/** The first `frames` of a source; those before the cut fall to silence. */
export function cutAfter(next: () => Promise<Pcm | undefined>, frames: number) {
  let left = frames

  return async (): Promise<Pcm | undefined> => {
    if (left <= 0) return undefined
    const pcm = await next()
    if (!pcm) return undefined
    const kept = Math.min(pcm.frames, left)
    const fall = Math.round((pcm.rate * FALL_MS) / 1000)
    const channels = pcm.channels.map((samples) => falling(samples.slice(0, kept), left, fall))
    left -= kept
    return { ...pcm, channels, frames: kept }
  }
}

/** The last of `left` frames has gain 0, the one `fall` frames before it still its own. */
function falling(samples: Float32Array, left: number, fall: number): Float32Array {
  for (let i = Math.max(0, left - fall); i < samples.length; i++)
    samples[i] = ((samples[i] ?? 0) * (left - 1 - i)) / fall
  return samples
}
