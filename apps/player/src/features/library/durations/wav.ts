import type { Read } from './read.ts'

// A file with more chunks than this before its sound is not one that a recorder wrote.
const MAX_CHUNKS = 64

export async function wavDuration(
  read: Read,
  start: number,
  size: number,
): Promise<number | undefined> {
  let bytesPerSecond = 0
  let offset = start + 12
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
    const head = await read(offset, 8)
    if (head.length < 8) return undefined
    const id = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    if (id === 'fmt ') bytesPerSecond = await byteRate(read, offset + 8)
    if (id === 'data') {
      // A recorder that lost power, or wrote to a pipe, leaves 0 or 4 GiB - 1 as the length.
      const rest = size - offset - 8
      const bytes = length === 0 ? rest : Math.min(length, rest)
      return bytesPerSecond === 0 ? undefined : (bytes / bytesPerSecond) * 1000
    }
    offset += 8 + length + (length % 2)
  }
  return undefined
}

async function byteRate(read: Read, offset: number): Promise<number> {
  const format = await read(offset, 12)
  return format.length < 12 ? 0 : format.readUInt32LE(8)
}
