import type { Read } from './read.ts'

/** STREAMINFO is always the first block: 20 bits of sample rate, then 36 of sample count at its end. */
export async function flacDuration(read: Read, start: number): Promise<number | undefined> {
  const head = await read(start, 26)
  if (head.length < 26) return undefined
  const rate = head.readUIntBE(18, 3) >>> 4
  const samples = (head.readUInt8(21) & 0x0f) * 2 ** 32 + head.readUInt32BE(22)
  // 0 samples means that the encoder did not know, as when it wrote to a pipe.
  return samples === 0 ? undefined : (samples / rate) * 1000
}
