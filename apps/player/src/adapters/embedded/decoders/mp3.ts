import { readMp3Info } from '@manara/audio-headers/mp3-info'
import { MPEGDecoder } from 'mpg123-decoder'
import type { ByteReader } from '../byte-reader.ts'
import { createMp3Frames } from '../mp3-frames.ts'
import { createMp3Seek } from '../mp3-seek.ts'
import { type Codec, type Format, type Pcm, silence } from '../pcm.ts'

/** Frames may borrow bits from up to nine before them. */
const PRE_ROLL = 10

/** Trimming is ours: the decoder's own works only from the first byte on. */
export async function createMp3Codec(): Promise<Codec> {
  const decoder = new MPEGDecoder({ enableGapless: false })
  await decoder.ready
  const framesOf = createMp3Frames()

  function decode(frames: Uint8Array): Pcm {
    if (frames.length === 0) return silence
    const { channelData, samplesDecoded, sampleRate } = decoder.decode(frames)
    return { channels: channelData, frames: samplesDecoded, rate: sampleRate }
  }

  return {
    decode: async (bytes) => decode(framesOf(bytes)),
    flush: async () => decode(framesOf(new Uint8Array(), true)),
    free: () => decoder.free(),
  }
}

export async function openMp3(bytes: ByteReader, start: number): Promise<Format> {
  const info = await readMp3Info(bytes, start)
  if (!info) throw new Error('no MPEG frames found')
  const seek = createMp3Seek(bytes, info)
  const { samples, rate } = info.header
  const told = info.estimated ? undefined : info.count
  const count = told ?? (await seek.count())

  return {
    rate,
    frames: Math.max(0, count * samples - info.delay - info.padding),
    chunk: 4096,
    async enter(frame, exact) {
      const raw = frame + info.delay
      const first = Math.max(0, Math.floor(raw / samples) - PRE_ROLL)
      const { byte, index, estimated = false } = await seek.locate(first, exact)
      const codec = await createMp3Codec()
      return { codec, byte, skip: raw - index * samples, estimated }
    },
  }
}
