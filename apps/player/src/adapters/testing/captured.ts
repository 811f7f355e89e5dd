import { readFileSync } from 'node:fs'
import { sweep } from './media.ts'

export type Captured = { frames: number; left: Float32Array; right: Float32Array }

/** Raw S16LE stereo, as the capture sink writes it. */
export function readCapture(path: string): Captured {
  const bytes = readFileSync(path)
  const frames = Math.floor(bytes.length / 4)
  const channel = (offset: number) =>
    Float32Array.from({ length: frames }, (_, i) => bytes.readInt16LE(i * 4 + offset) / 32768)
  return { frames, left: channel(0), right: channel(2) }
}

/** Where the sound should be in the sweep: the frame that its first one is. */
export type Place = { rate: number; first: number }

/** 1 for the same shape, however loud; 0 for nothing in common. */
export function likeness(samples: Float32Array, { rate, first }: Place): number {
  let [both, ours, theirs] = [0, 0, 0]
  for (const [i, sample] of samples.entries()) {
    const expected = sweep((first + i) / rate)
    both += sample * expected
    ours += sample * sample
    theirs += expected * expected
  }
  return both / Math.sqrt(ours * theirs)
}

/** How many frames the sound is away from where it should be. */
export function bestLag(samples: Float32Array, { rate, first }: Place): number {
  const lags = Array.from({ length: 121 }, (_, i) => i - 60)
  const scored = lags.map((lag) => ({ lag, like: likeness(samples, { rate, first: first + lag }) }))
  return scored.reduce((best, next) => (next.like > best.like ? next : best)).lag
}

export const peak = (samples: Float32Array) =>
  samples.reduce((top, x) => Math.max(top, Math.abs(x)), 0)
