import { readFileSync } from 'node:fs'
import { wavFile } from './media.ts'

const WRAP = 30_000
/** So loud that anything less than the full volume shows. */
const LOUD = 32_000

/** A WAV file in which every frame says which one it is, and none is silent. */
export const numberedWav = (rate: number, frames: number) =>
  wavFile(rate, frames, (frame) => [1 + (frame % WRAP), LOUD + Math.floor(frame / WRAP)])

export type Heard = {
  /** Frames that were not silent. */
  sounding: number
  /** Numbers of the frames that came at full volume, in order. */
  numbers: number[]
  /** Where in the capture each of them is. */
  places: number[]
  /** Silent frames between the first sound and the last, stretch by stretch. */
  silences: number[]
}

/** What a device let out, from its capture: raw S16LE stereo. */
export function readNumbered(path: string): Heard {
  const bytes = readFileSync(path)
  const heard: Heard = { sounding: 0, numbers: [], places: [], silences: [] }
  let silence = 0
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const [left, right] = [bytes.readInt16LE(at), bytes.readInt16LE(at + 2)]
    if (left === 0 && right === 0) {
      silence += 1
      continue
    }
    if (silence > 0 && heard.sounding > 0) heard.silences.push(silence)
    silence = 0
    heard.sounding += 1
    if (right < LOUD) continue
    heard.numbers.push(left - 1 + (right - LOUD) * WRAP)
    heard.places.push(at / 4)
  }
  return heard
}

/** How loud each frame of a capture is, 0 to 1. */
export function readLoudness(path: string): number[] {
  const bytes = readFileSync(path)
  return Array.from(
    { length: Math.floor(bytes.length / 4) },
    (_, frame) => bytes.readInt16LE(frame * 4 + 2) / LOUD,
  )
}
