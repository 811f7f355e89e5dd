const HEADERS = 54
const INFO_HEADER = 40
// 72 dots an inch, in dots a metre.
const RESOLUTION = 2835

/** A Windows bitmap of 24 bits: rows from the bottom, blue first, each row filled to four bytes. */
export function bmp({ width, height, rgba }: { width: number; height: number; rgba: Uint8Array }) {
  const row = (width * 3 + 3) & ~3
  const file = Buffer.alloc(HEADERS + row * height)
  file.write('BM', 0, 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(HEADERS, 10)
  file.writeUInt32LE(INFO_HEADER, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  file.writeUInt32LE(row * height, 34)
  file.writeInt32LE(RESOLUTION, 38)
  file.writeInt32LE(RESOLUTION, 42)
  for (let y = 0; y < height; y += 1) {
    let to = HEADERS + (height - 1 - y) * row
    for (let from = y * width * 4; from < (y + 1) * width * 4; from += 4) {
      file[to++] = rgba[from + 2] ?? 0
      file[to++] = rgba[from + 1] ?? 0
      file[to++] = rgba[from] ?? 0
    }
  }
  return file
}
