/** Decoded sound: one array per channel, each `frames` long, samples in -1..1. */
export type Pcm = { channels: Float32Array[]; frames: number; rate: number }

/** Bytes in, sound out, in order. Damaged input gives less sound, never an exception. */
export type Codec = {
  decode(bytes: Uint8Array): Promise<Pcm>
  /** What was held back until it was sure that nothing follows. */
  flush(): Promise<Pcm>
  free(): void
}

/**
 * A place to start decoding so that a wanted frame comes out: feed `codec` from `byte` on and drop
 * `skip` frames. `head` is sound that was already decoded on the way there and comes first.
 */
export type Entry = {
  codec: Codec
  byte: number
  skip: number
  head?: Pcm
  /** The place was estimated, so the count of frames left to the end is not to be trusted. */
  estimated?: boolean
}

/** A file that was recognised: how long it is and how to get to any frame of it. */
export type Format = {
  rate: number
  /** 0 when the file does not say. */
  frames: number
  /** Bytes to read at a time: enough to be quick, not more than a fraction of a second of sound. */
  chunk: number
  /** `exact`: to the frame, also where that takes reading the file up to there. */
  enter(frame: number, exact?: boolean): Promise<Entry>
}

export const silence: Pcm = { channels: [], frames: 0, rate: 0 }

export function joinPcm(parts: Pcm[]): Pcm {
  const heard = parts.filter((part) => part.frames > 0)
  const [first] = heard
  if (!first) return silence
  if (heard.length === 1) return first
  const frames = heard.reduce((sum, part) => sum + part.frames, 0)
  const channels = first.channels.map((_, channel) => {
    const whole = new Float32Array(frames)
    let at = 0
    for (const part of heard) {
      whole.set(part.channels[channel] ?? [], at)
      at += part.frames
    }
    return whole
  })
  return { channels, frames, rate: first.rate }
}
