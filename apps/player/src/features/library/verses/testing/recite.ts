import { VERSE_BEATS } from '@manara/player-contract/verse-beats'
import { wavFile } from '../../../../adapters/testing/media.ts'
import type { Span } from '../domain/align-verses.ts'

type Recital = {
  /** Milliseconds a beat. */
  rate?: number
  /** Beats of what is said before the first verse. */
  lead?: number[]
  /** Verses that follow the one before in the same breath. */
  joined?: number[]
  seed?: number
}

/** A made-up reading of a surah: lengths scatter around the expected ones, long verses have pauses. */
export function recite(
  surah: number,
  { rate = 100, lead = [], joined = [], seed = surah }: Recital = {},
) {
  const random = createRandom(seed)
  const spans: [number, number][] = []
  const starts: number[] = []
  let at = 400
  const say = (beats: number) => {
    const length = beats * rate * Math.exp(0.08 * random.normal())
    const pieces = Math.max(1, Math.round(beats / 70))
    for (let piece = 0; piece < pieces; piece++) {
      spans.push([at, at + length / pieces])
      at += length / pieces + 450 + 500 * random.next()
    }
  }
  for (const beats of lead) say(beats)
  for (const [index, beats] of (VERSE_BEATS[surah - 1] ?? []).entries()) {
    const last = spans.at(-1)
    if (last && joined.includes(index + 1)) {
      starts.push(last[1])
      last[1] += beats * rate
      at = last[1] + 600
    } else {
      starts.push(at)
      say(beats)
    }
  }
  const whole = spans.map(([from, to]): Span => [Math.round(from), Math.round(to)])
  return { spans: whole, starts: starts.map(Math.round), duration_ms: Math.round(at) }
}

/** A sound file that is a hum within the spans, and nearly nothing between them. */
export function humming(spans: readonly Span[], duration_ms: number): Buffer {
  const rate = 8_000
  return wavFile(rate, Math.round((duration_ms / 1000) * rate), (frame) => {
    const ms = (frame / rate) * 1000
    const isSound = spans.some(([from, to]) => ms >= from && ms < to)
    const sample = Math.round((isSound ? 9_000 : 12) * Math.sin(frame * 0.35))
    return [sample, sample]
  })
}

/** The same numbers for the same seed, on every machine. */
function createRandom(seed: number) {
  let state = seed * 2_654_435_761
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 1) / 4_294_967_297
  }
  const normal = () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next())
  return { next, normal }
}
