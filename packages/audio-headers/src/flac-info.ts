import { type ByteSource, bufferOf } from './byte-source.ts'

/** What a FLAC file says about itself (RFC 9639, section 8.2). */
export type FlacInfo = {
  rate: number
  /** 0 when the encoder did not know, as when it wrote to a pipe. */
  frames: number
  blockSize: number
}

const BLOCK_HEADER = 4
const STREAMINFO = 34
// Each is a header of four bytes, so a file of nothing else would take a while.
const MOST_BLOCKS = 1024

/** STREAMINFO is always the first block; `start` is where `fLaC` is. */
export async function readFlacInfo(
  source: ByteSource,
  start: number,
): Promise<FlacInfo | undefined> {
  const block = bufferOf(await source.read(start + 4, BLOCK_HEADER + STREAMINFO))
  if (block.length < BLOCK_HEADER + STREAMINFO || (block.readUInt8(0) & 0x7f) !== 0)
    return undefined
  const info = block.subarray(BLOCK_HEADER)
  const rate = info.readUInt32BE(10) >>> 12
  const frames = (info.readUInt8(13) & 0xf) * 2 ** 32 + info.readUInt32BE(14)
  return rate === 0 ? undefined : { rate, frames, blockSize: info.readUInt16BE(0) }
}

/** Where the blocks about the file end and sound starts; undefined when it never does. */
export async function flacSoundStart(
  source: ByteSource,
  start: number,
): Promise<number | undefined> {
  let at = start + 4
  for (let block = 0; block < MOST_BLOCKS; block++) {
    const head = bufferOf(await source.read(at, BLOCK_HEADER))
    if (head.length < BLOCK_HEADER) return undefined
    at += BLOCK_HEADER + head.readUIntBE(1, 3)
    if (head.readUInt8(0) & 0x80) return at
  }
  return undefined
}
