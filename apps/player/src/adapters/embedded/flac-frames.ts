import { flacFrameAt } from '@manara/audio-headers/flac-frame'

const LONGEST_HEADER = 16
/** More than a frame of any recording; what has not ended by then is damaged. */
const LONGEST_FRAME = 128 * 1024
/** Which sound a frame holds is of no matter here. */
const ANY = { rate: 0, frames: 0, blockSize: 0 }

/**
 * Whole frames of what comes in pieces. Where one is damaged, it alone is left out: the search of the
 * decoder's library would go past half a megabyte of good ones.
 */
export function createFlacFrames() {
  let held = Buffer.alloc(0)

  return (piece: Uint8Array, isLast = false): Uint8Array[] => {
    held = Buffer.concat([held, piece])
    const frames: Uint8Array[] = []
    let at = 0
    for (;;) {
      const begin = nextHeader(held, at)
      at = begin < 0 ? Math.max(at, held.length - LONGEST_HEADER) : begin
      if (begin < 0) break
      const end = endOf(held, begin, isLast)
      if (end === undefined && !isLast && held.length - begin < LONGEST_FRAME) break
      if (end !== undefined) frames.push(held.subarray(begin, end))
      at = end ?? begin + 1
    }
    held = held.subarray(at)
    return frames
  }
}

/** -1 where there is none. */
function nextHeader(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from)
  while (at >= 0 && flacFrameAt(bytes, at, ANY) === undefined) at = bytes.indexOf(0xff, at + 1)
  return at
}

/** Where another begins, or all ends, and the checksum at the end of this one is right. */
function endOf(bytes: Buffer, begin: number, isLast: boolean): number | undefined {
  let crc = 0
  let read = begin
  for (let next = nextHeader(bytes, begin + 1); ; next = nextHeader(bytes, next + 1)) {
    if (next < 0 && !isLast) return undefined
    const end = next < 0 ? bytes.length : next
    for (; read < end; read += 1)
      crc = ((crc << 8) & 0xffff) ^ (CRC16[(crc >> 8) ^ (bytes[read] ?? 0)] ?? 0)
    // The checksum of a whole frame, with its own at the end, is 0 (RFC 9639, section 9.3).
    if (crc === 0) return end
    if (next < 0) return undefined
  }
}

const CRC16 = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x8005 : crc << 1
  return crc
})
