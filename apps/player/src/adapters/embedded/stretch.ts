import { joinPcm, type Pcm } from './pcm.ts'

/** One hop of output; long enough for two periods of a deep voice. */
const HOP_MS = 20
/** How far from its due place a stretch may be taken, so that the waves meet. */
const SEARCH_MS = 12
/** Likeness is first looked for on every fourth place and sample, then on all around the best. */
const COARSE = 4

/**
 * Plays sound faster or slower at the same pitch (WSOLA): output is made of hops taken from the input
 * at the new pace, each where it best continues the wave before it, and cross-faded into the next.
 * Comes out as `frames / speed` frames, to the frame. Speed 1 gives what went in.
 */
export function stretched(next: () => Promise<Pcm | undefined>, speed: number) {
  if (speed === 1) return next
  let stretcher: ReturnType<typeof createStretcher> | undefined
  let isOver = false

  return async (): Promise<Pcm | undefined> => {
    while (!isOver) {
      const pcm = await next()
      if (!pcm) {
        isOver = true
        return stretcher?.finish()
      }
      stretcher ??= createStretcher(pcm.rate, pcm.channels.length, speed)
      const made = stretcher.take(pcm)
      if (made.frames > 0) return made
    }
    return undefined
  }
}

function createStretcher(rate: number, channelCount: number, speed: number) {
  const hop = Math.round((rate * HOP_MS) / 1000)
  const search = Math.round((rate * SEARCH_MS) / 1000)
  const rise = Float32Array.from(
    { length: hop },
    (_, i) => 0.5 - 0.5 * Math.cos((Math.PI * i) / hop),
  )
  /** Input that is still needed; its first frame is number `first` of the source. */
  let input: Float32Array[] = Array.from({ length: channelCount }, () => new Float32Array())
  /** Its channels added up, which decides for all of them. */
  let mix: Float32Array = new Float32Array()
  let first = 0
  let taken = 0
  let hops = 0
  /** Where the last hop was taken. */
  let last = -hop

  function likeness(place: number, natural: number, step: number): number {
    let both = 0
    let energy = 1e-9
    for (let i = 0; i < hop; i += step) {
      const sample = mix[place - first + i] ?? 0
      both += sample * (mix[natural - first + i] ?? 0)
      energy += sample * sample
    }
    return both / Math.sqrt(energy)
  }

  function bestOf(from: number, to: number, by: number, natural: number): number {
    let best = from
    let most = Number.NEGATIVE_INFINITY
    for (let place = from; place <= to; place += by) {
      const like = likeness(place, natural, by)
      if (like <= most) continue
      best = place
      most = like
    }
    return best
  }

  function placeOf(due: number, natural: number): number {
    if (hops === 0) return 0
    const low = Math.max(0, due - search)
    const near = bestOf(low, due + search, COARSE, natural)
    return bestOf(Math.max(low, near - COARSE), near + COARSE, 1, natural)
  }

  function makeHop(): Pcm {
    const due = Math.round(hops * hop * speed)
    const natural = last + hop
    const place = placeOf(due, natural)
    const channels = input.map((samples) =>
      rise.map((gain, i) => {
        const old = samples[natural - first + i] ?? 0
        return old + ((samples[place - first + i] ?? 0) - old) * gain
      }),
    )
    hops += 1
    last = place
    forget(Math.min(last + hop, Math.round(hops * hop * speed) - search))
    return { channels, frames: hop, rate }
  }

  function forget(before: number) {
    const gone = Math.min(before - first, input[0]?.length ?? 0)
    if (gone < rate / 10) return
    input = input.map((samples) => samples.slice(gone))
    mix = mix.slice(gone)
    first += gone
  }

  /** All that the next hop may look at has come. */
  const isReady = () => {
    const due = Math.round(hops * hop * speed)
    return Math.max(due + search + COARSE, last + hop) + hop <= taken
  }

  return {
    take(pcm: Pcm): Pcm {
      input = input.map((samples, channel) => joined(samples, pcm.channels[channel]))
      mix = joined(mix, sumOf(pcm))
      taken += pcm.frames
      const made: Pcm[] = []
      while (isReady()) made.push(makeHop())
      return joinPcm(made)
    },
    /** What is missing behind the end counts as silence. */
    finish(): Pcm {
      const made: Pcm[] = []
      const left = () => Math.round(taken / speed) - hops * hop
      while (left() > 0) {
        const frames = Math.min(hop, left())
        const { channels } = makeHop()
        made.push({
          channels: channels.map((samples) => samples.subarray(0, frames)),
          frames,
          rate,
        })
        if (frames < hop) break
      }
      return joinPcm(made)
    },
  }
}

function sumOf({ channels, frames }: Pcm): Float32Array {
  const sum = new Float32Array(frames)
  for (const samples of channels)
    for (let i = 0; i < frames; i++) sum[i] = (sum[i] ?? 0) + (samples[i] ?? 0)
  return sum
}

function joined(before: Float32Array, more: Float32Array = new Float32Array()): Float32Array {
  const whole = new Float32Array(before.length + more.length)
  whole.set(before)
  whole.set(more, before.length)
  return whole
}
