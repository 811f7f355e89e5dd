import { flacFrameAt } from '@manara/audio-headers/flac-frame'
import { type FlacInfo, flacSoundStart, readFlacInfo } from '@manara/audio-headers/flac-info'
import { FLACDecoder } from '@wasm-audio-decoders/flac'
import type { ByteReader } from '../byte-reader.ts'
import { createFlacFrames } from '../flac-frames.ts'
import { type Codec, type Format, type Pcm, silence } from '../pcm.ts'

/** Holds the largest FLAC frame of common encoders several times over. */
const PROBE = 64 * 1024
const CLOSE_ENOUGH_S = 1

export async function createFlacCodec(): Promise<Codec> {
  const decoder = new FLACDecoder()
  await decoder.ready
  const framesOf = createFlacFrames()

  async function decode(flacFrames: Uint8Array[]): Promise<Pcm> {
    if (flacFrames.length === 0) return silence
    const { channelData, samplesDecoded, sampleRate } = await decoder.decodeFrames(flacFrames)
    return { channels: channelData, frames: samplesDecoded, rate: sampleRate }
  }

  return {
    decode: (bytes) => decode(framesOf(bytes)),
    flush: () => decode(framesOf(new Uint8Array(), true)),
    free: () => decoder.free(),
  }
}

export async function openFlac(bytes: ByteReader, head: number): Promise<Format> {
  const info = await readFlacInfo(bytes, head)
  if (!info) throw new Error('the FLAC file does not say what it is')
  const start = await flacSoundStart(bytes, head)
  if (start === undefined) throw new Error('the FLAC file has no sound in it')
  return {
    rate: info.rate,
    frames: info.frames,
    chunk: 16 * 1024,
    async enter(frame) {
      const place = await findFrame(bytes, info, start, frame)
      return { codec: await createFlacCodec(), byte: place.byte, skip: frame - place.frame }
    },
  }
}

/** Closes in on a frame by where it should be; every FLAC frame says which samples it holds. */
async function findFrame(bytes: ByteReader, info: FlacInfo, start: number, wanted: number) {
  let low = { byte: start, frame: 0 }
  let high = { byte: bytes.size, frame: Math.max(info.frames, wanted + 1) }
  for (let round = 0; round < 24; round++) {
    if (wanted - low.frame < info.rate * CLOSE_ENOUGH_S || high.byte - low.byte < PROBE / 4) break
    const share = (wanted - low.frame) / (high.frame - low.frame)
    // A little before the place, and never the same place twice.
    const guess = low.byte + Math.floor((high.byte - low.byte) * Math.min(0.95, share * 0.98))
    const found = await firstFrame(bytes, info, guess, low.frame, high.frame)
    if (!found || found.byte >= high.byte) high = { ...high, byte: guess }
    else if (found.frame > wanted) high = { byte: guess, frame: found.frame }
    else if (found.byte === low.byte) break
    else low = found
  }
  return low
}

async function firstFrame(
  bytes: ByteReader,
  info: FlacInfo,
  from: number,
  above: number,
  below: number,
) {
  const block = await bytes.read(from, PROBE)
  for (let at = 0; at < block.length; at++) {
    const frame = block[at] === 0xff ? flacFrameAt(block, at, info) : undefined
    // Eight bits of checksum let one in 256 chances through; the number has to fit as well.
    if (frame !== undefined && frame >= above && frame <= below) return { byte: from + at, frame }
  }
  return undefined
}
