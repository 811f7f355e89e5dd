import { type ByteSource, bufferOf } from './byte-source.ts'

export type WavInfo = {
  /** As in the `fmt` chunk; the sub-format where the tag only says "extensible". */
  coding: number
  channels: number
  rate: number
  bits: number
  bytesPerSecond: number
  /** Where the sound lies in the file. */
  start: number
  length: number
}

const EXTENSIBLE = 0xfffe
// A file with more chunks than this before its sound is not one that a recorder wrote.
const MOST_CHUNKS = 64
const FORMAT_BYTES = 16
const EXTENSIBLE_BYTES = 26

/** Walks over the chunks from `start`, where RIFF is, to the sound; undefined when there is none. */
export async function readWavInfo(source: ByteSource, start: number): Promise<WavInfo | undefined> {
  let format: Omit<WavInfo, 'start' | 'length'> | undefined
  let at = start + 12
  for (let chunk = 0; chunk < MOST_CHUNKS; chunk++) {
    const head = bufferOf(await source.read(at, 8))
    if (head.length < 8) return undefined
    const name = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    if (name === 'fmt ') format = readFormat(await source.read(at + 8, EXTENSIBLE_BYTES), length)
    if (name === 'data') {
      // A recorder that lost power, or wrote to a pipe, leaves 0 or 4 GiB - 1 as the length.
      const rest = source.size - at - 8
      const isKnown = length > 0 && length <= rest
      return format && { ...format, start: at + 8, length: isKnown ? length : rest }
    }
    at += 8 + length + (length & 1)
  }
  return undefined
}

function readFormat(bytes: Uint8Array, length: number) {
  const chunk = bufferOf(bytes)
  if (chunk.length < FORMAT_BYTES) return undefined
  const tag = chunk.readUInt16LE(0)
  const isExtensible =
    tag === EXTENSIBLE && length >= EXTENSIBLE_BYTES && chunk.length >= EXTENSIBLE_BYTES
  return {
    coding: isExtensible ? chunk.readUInt16LE(24) : tag,
    channels: chunk.readUInt16LE(2),
    rate: chunk.readUInt32LE(4),
    bytesPerSecond: chunk.readUInt32LE(8),
    bits: chunk.readUInt16LE(14),
  }
}
