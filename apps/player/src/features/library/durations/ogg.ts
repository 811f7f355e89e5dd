import type { Read } from './read.ts'

// The longest page there can be: 27 + 255 + 255 * 255 bytes (RFC 3533 §6).
const MAX_PAGE = 65_307

type Track = { rate: number; skip: number }

/** The last page's granule position counts the samples up to the end of the file. */
export async function oggDuration(
  read: Read,
  start: number,
  size: number,
): Promise<number | undefined> {
  const first = await read(start, 27 + 255 + 19)
  const track = identify(first)
  if (!track) return undefined
  const tail = await read(Math.max(start, size - MAX_PAGE), MAX_PAGE)
  const samples = lastGranule(tail, first.readUInt32LE(14))
  return samples === undefined ? undefined : ((samples - track.skip) / track.rate) * 1000
}

function identify(page: Buffer): Track | undefined {
  if (page.length < 28) return undefined
  const packet = page.subarray(27 + page.readUInt8(26))
  if (packet.length < 19) return undefined
  // Opus counts at 48 kHz whatever it recorded, with a lead-in that is not heard (RFC 7845 §4).
  if (packet.toString('latin1', 0, 8) === 'OpusHead')
    return { rate: 48_000, skip: packet.readUInt16LE(10) }
  if (packet.toString('latin1', 0, 7) === '\x01vorbis')
    return { rate: packet.readUInt32LE(12), skip: 0 }
  return undefined
}

// Only of the stream that the file begins with: another one's samples count from their own zero.
function lastGranule(tail: Buffer, serial: number): number | undefined {
  let at = tail.lastIndexOf('OggS', -18)
  while (at >= 0 && tail.readUInt32LE(at + 14) === serial) {
    const granule = tail.readBigInt64LE(at + 6)
    // -1: no packet ends on this page.
    if (granule >= 0n) return Number(granule)
    at = at === 0 ? -1 : tail.lastIndexOf('OggS', at - 1)
  }
  return undefined
}
