import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis'
import type { ByteReader } from '../byte-reader.ts'
import { createOggCodec } from '../ogg-codec.ts'
import { entryPage, feedHeaders, readOggFile } from '../ogg-file.ts'
import type { Entry, Format } from '../pcm.ts'

/** Vorbis' longest block; a packet overlaps with the one before it. */
const LONGEST_BLOCK = 8192

export const createVorbisCodec = () =>
  createOggCodec('\u0001vorbis', async () => {
    const decoder = new OggVorbisDecoder()
    await decoder.ready
    return {
      decode: async (bytes) => {
        const { channelData, samplesDecoded, sampleRate } = await decoder.decode(bytes)
        return { channels: channelData, frames: samplesDecoded, rate: sampleRate }
      },
      free: () => decoder.free(),
    }
  })

export async function openVorbis(bytes: ByteReader, head: number): Promise<Format> {
  const file = await readOggFile(bytes, head)
  const { rate, lastGranule } = file

  async function enter(frame: number): Promise<Entry> {
    const codec = createVorbisCodec()
    const entry = await entryPage(bytes, file, frame - LONGEST_BLOCK)
    if (!entry) return { codec, byte: head, skip: frame }
    await feedHeaders(bytes, file, codec)
    // Where the first sound belongs is known from where the page ends: the first packet only primes.
    const first = await codec.decodePage(entry.page)
    const skip = frame - (entry.page.granule - first.frames)
    return { codec, byte: entry.after, skip, head: first }
  }

  return { rate, frames: lastGranule, chunk: 4096, enter }
}
