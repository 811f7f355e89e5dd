import { readWavInfo, type WavInfo } from '@manara/audio-headers/wav-info'
import type { ByteReader } from '../byte-reader.ts'
import { type Codec, type Format, silence } from '../pcm.ts'

type Layout = { channels: number; rate: number; bits: number; float: boolean }

const PCM = 1
const FLOAT = 3

export async function openWav(bytes: ByteReader, head: number): Promise<Format> {
  const info = await readWavInfo(bytes, head)
  if (!info) throw new Error('the WAV file has no sound in it')
  const { start, length } = info
  const layout = layoutOf(info)
  const frameBytes = (layout.channels * layout.bits) / 8
  return {
    rate: layout.rate,
    frames: Math.floor(length / frameBytes),
    chunk: 16 * 1024,
    enter: async (frame) => ({
      codec: createWavCodec(layout),
      byte: start + frame * frameBytes,
      skip: 0,
    }),
  }
}

function layoutOf({ coding, channels, rate, bits }: WavInfo): Layout {
  const known = coding === FLOAT ? [32, 64] : coding === PCM ? [8, 16, 24, 32] : []
  if (!known.includes(bits) || channels === 0 || rate === 0)
    throw new Error('this WAV coding is not supported')
  return { channels, rate, bits, float: coding === FLOAT }
}

function createWavCodec({ channels, rate, bits, float }: Layout): Codec {
  const sampleBytes = bits / 8
  const frameBytes = sampleBytes * channels
  const heard = Math.min(2, channels)
  const sample = sampleReader(bits, float)
  let rest = Buffer.alloc(0)
  return {
    async decode(bytes) {
      const input = Buffer.concat([rest, bytes])
      const frames = Math.floor(input.length / frameBytes)
      rest = input.subarray(frames * frameBytes)
      const out = Array.from({ length: heard }, () => new Float32Array(frames))
      for (const [channel, samples] of out.entries())
        for (let i = 0; i < frames; i++)
          samples[i] = sample(input, i * frameBytes + channel * sampleBytes)
      return { channels: out, frames, rate }
    },
    flush: async () => silence,
    free: () => {},
  }
}

function sampleReader(bits: number, float: boolean): (input: Buffer, at: number) => number {
  if (float && bits === 64) return (input, at) => input.readDoubleLE(at)
  if (float) return (input, at) => input.readFloatLE(at)
  if (bits === 8) return (input, at) => (input.readUInt8(at) - 128) / 128
  if (bits === 16) return (input, at) => input.readInt16LE(at) / 32768
  if (bits === 24) return (input, at) => input.readIntLE(at, 3) / 8388608
  return (input, at) => input.readInt32LE(at) / 2147483648
}
