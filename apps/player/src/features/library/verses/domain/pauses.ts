import type { Span } from './align-verses.ts'

/** Loudness in decibels below full scale (0 is as loud as can be, 127 is nothing), one per step. */
export type Levels = { step_ms: number; below: Uint8Array }

const SHORTEST_PAUSE_MS = 300
/** A click or a breath between two pauses is no recitation. */
const SHORTEST_SOUND_MS = 120

/** The stretches of sound between pauses of at least 300 ms. */
export function soundSpans({ step_ms, below }: Levels): Span[] {
  const threshold = quietBelow(below)
  const spans: [number, number][] = []
  let from = -1
  let until = -1
  for (let step = 0; step <= below.length; step++) {
    const isSound = step < below.length && (below[step] as number) <= threshold
    if (isSound) {
      if (from < 0) from = step
      until = step + 1
    } else if (
      from >= 0 &&
      ((step + 1 - until) * step_ms >= SHORTEST_PAUSE_MS || step >= below.length)
    ) {
      spans.push([from * step_ms, until * step_ms])
      from = -1
    }
  }
  if (from >= 0) spans.push([from * step_ms, until * step_ms])
  return spans.filter(([start, end]) => end - start >= SHORTEST_SOUND_MS)
}

/** Six decibels above the quietest of the recording, but at most eighteen below its loud parts. */
function quietBelow(below: Uint8Array): number {
  const counts = new Uint32Array(256)
  for (const level of below) counts[level] = (counts[level] as number) + 1
  const levelAt = (share: number) => {
    let left = below.length * share
    let level = 255
    for (; level > 0; level--) {
      left -= counts[level] as number
      if (left <= 0) break
    }
    return level
  }
  return Math.min(levelAt(0.03) - 6, levelAt(0.8) + 18)
}
