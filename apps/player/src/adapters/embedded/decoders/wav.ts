import type { ByteReader } from '../byte-reader.ts'
import { type Codec, type Format, silence } from '../pcm.ts'

type Layout = { channels: number; rate: number; bits: number; float: boolean }
type Sound = { layout: Layout; start: number; length: number }

const PCM = 1
const FLOAT = 3
const EXTENSIBLE = 0xfffe

export async function openWav(bytes: ByteReader): Promise<Format> {
  const { layout, start, length } = await findSound(bytes)
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

/** Walks over the chunks; `data` without a length (a recording that was cut off) runs to the end. */
async function findSound(bytes: ByteReader): Promise<Sound> {
  let layout: Layout | undefined
  for (let at = 12; at + 8 <= bytes.size; ) {
    const head = Buffer.from(await bytes.read(at, 8))
    const name = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    if (name === 'fmt ') layout = readLayout(Buffer.from(await bytes.read(at + 8, length)))
    if (name === 'data' && layout) {
      const rest = bytes.size - at - 8
      const known = length > 0 && length <= rest
      return { layout, start: at + 8, length: known ? length : rest }
    }
    at += 8 + length + (length & 1)
  }
  throw new Error('the WAV file has no sound in it')
}

function readLayout(fmt: Buffer): Layout {
  const tag = fmt.readUInt16LE(0)
  const coding = tag === EXTENSIBLE && fmt.length >= 26 ? fmt.readUInt16LE(24) : tag
  const channels = fmt.readUInt16LE(2)
  const rate = fmt.readUInt32LE(4)
  const bits = fmt.readUInt16LE(14)
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
