import { OggOpusDecoder } from 'ogg-opus-decoder'
import type { ByteReader } from '../byte-reader.ts'
import { createOggCodec } from '../ogg-codec.ts'
import { entryPage, feedHeaders, readOggFile } from '../ogg-file.ts'
import type { Entry, Format } from '../pcm.ts'

const RATE = 48_000
/** A decoder that starts in the middle needs 80 ms to be right (RFC 7845, section 4.6). */
const PRE_ROLL = 3840

export const createOpusCodec = () =>
  createOggCodec('OpusHead', async () => {
    const decoder = new OggOpusDecoder({ forceStereo: true })
    await decoder.ready
    return {
      decode: async (bytes) => {
        const { channelData, samplesDecoded } = await decoder.decode(bytes)
        return { channels: channelData, frames: samplesDecoded, rate: RATE }
      },
      free: () => decoder.free(),
    }
  })

export async function openOpus(bytes: ByteReader, head: number): Promise<Format> {
  const file = await readOggFile(bytes, head)
  const { rate, lead, lastGranule } = file

  async function enter(frame: number): Promise<Entry> {
    const codec = createOpusCodec()
    const entry = await entryPage(bytes, file, frame - PRE_ROLL)
    if (!entry) return { codec, byte: head, skip: frame }
    await feedHeaders(bytes, file, codec)
    const first = await codec.decodePage(entry.page)
    const skip = frame - (entry.page.granule - lead - first.frames)
    return { codec, byte: entry.after, skip, head: first }
  }

  return { rate, frames: Math.max(0, lastGranule - lead), chunk: 4096, enter }
}
