import type { FlacInfo } from './flac-info.ts'

/** The frame of sound that the FLAC frame starting here begins with, if one does (section 9.1). */
export function flacFrameAt(bytes: Uint8Array, at: number, info: FlacInfo): number | undefined {
  const [sync0, sync1 = 0, sizes = 0, layout = 0] = bytes.subarray(at, at + 4)
  if (sync0 !== 0xff || (sync1 & 0xfe) !== 0xf8 || layout & 1) return undefined
  const blockCode = sizes >> 4
  const rateCode = sizes & 15
  if (blockCode === 0 || rateCode === 15 || layout >> 4 > 10) return undefined
  const number = codedNumber(bytes, at + 4)
  if (!number) return undefined
  const blockBytes = blockCode === 6 ? 1 : blockCode === 7 ? 2 : 0
  const rateBytes = rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0
  const end = at + 4 + number.length + blockBytes + rateBytes
  if (end >= bytes.length || crc8(bytes.subarray(at, end)) !== bytes[end]) return undefined
  const variable = (sync1 & 1) === 1
  return variable ? number.value : number.value * info.blockSize
}

/** UTF-8's scheme stretched to 36 bits. */
function codedNumber(bytes: Uint8Array, at: number) {
  const first = bytes[at] ?? 0xff
  if (first < 0x80) return { value: first, length: 1 }
  const length = Math.clz32(~(first << 24))
  if (length < 2 || length > 7) return undefined
  let value = first & (0x7f >> length)
  for (let i = 1; i < length; i++) {
    const next = bytes[at + i] ?? 0
    if ((next & 0xc0) !== 0x80) return undefined
    value = value * 64 + (next & 0x3f)
  }
  return { value, length }
}

function crc8(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1
  }
  return crc
}
