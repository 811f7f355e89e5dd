import { type ByteSource, bufferOf } from './byte-source.ts'
import { findOggPage, LARGEST_PAGE, type OggPage, packetText, readOggPage } from './ogg-page.ts'

export type OggInfo = {
  codec: 'opus' | 'vorbis'
  rate: number
  /** Frames that are decoded and not heard. */
  lead: number
  firstPage: OggPage
}

const OPUS_RATE = 48_000
/** The first page holds one short packet. */
const FIRST_PAGE = 512
/** Five years at 48 kHz: a number beyond it is damage, and its milliseconds would not be exact any more. */
const MOST_SAMPLES = 2 ** 43

/** The codec and its numbers; undefined for other codecs and for what is damaged at its start. */
export async function readOggInfo(source: ByteSource, start: number): Promise<OggInfo | undefined> {
  const firstPage = await oggPageAt(source, start, FIRST_PAGE)
  if (!firstPage || firstPage.bytes.length < firstPage.body + 19) return undefined
  const packet = bufferOf(firstPage.bytes).subarray(firstPage.body)
  const name = packetText(firstPage)
  // Opus counts at 48 kHz whatever it recorded, with a lead-in that is not heard (RFC 7845 §4).
  if (name === 'OpusHead')
    return { codec: 'opus', rate: OPUS_RATE, lead: packet.readUInt16LE(10), firstPage }
  const rate = packet.readUInt32LE(12)
  if (!name.startsWith('\x01vorbis') || rate === 0) return undefined
  return { codec: 'vorbis', rate, lead: 0, firstPage }
}

/** `length` is how much is read at first; a page that is longer is read whole. */
export async function oggPageAt(
  source: ByteSource,
  at: number,
  length = LARGEST_PAGE,
): Promise<OggPage | undefined> {
  const page = readOggPage(await source.read(at, length), 0)
  if (page || length >= LARGEST_PAGE) return page
  return readOggPage(await source.read(at, LARGEST_PAGE), 0)
}

/**
 * Counts the samples up to the end of the file. Only of the stream that the file begins with: one
 * that ends with another counts from its own zero, and then nothing is known.
 */
export async function lastGranule(
  source: ByteSource,
  start: number,
  serial: number,
): Promise<number | undefined> {
  const tail = await source.read(Math.max(start, source.size - LARGEST_PAGE), LARGEST_PAGE)
  let last: number | undefined
  for (let at = findOggPage(tail, 0); at >= 0; at = findOggPage(tail, at + 1)) {
    const page = readOggPage(tail, at)
    if (page && page.serial !== serial) last = undefined
    // -1: no packet ends on this page.
    else if (page && page.granule >= 0 && page.granule <= MOST_SAMPLES) last = page.granule
  }
  return last
}
