import type { ByteReader } from './byte-reader.ts'

const HEADER = 10

/** Length of an ID3v2 tag that starts here, header and footer included; 0 when there is none. */
export function id3Length(bytes: Uint8Array): number {
  const [i, d, three, , , flags = 0, a = 0, b = 0, c = 0, e = 0] = bytes
  if (bytes.length < HEADER || i !== 0x49 || d !== 0x44 || three !== 0x33) return 0
  const size = ((a & 127) << 21) | ((b & 127) << 14) | ((c & 127) << 7) | (e & 127)
  return HEADER + size + (flags & 0x10 ? HEADER : 0)
}

/** Where the sound starts: some taggers put a second tag before the first one. */
export async function afterId3(bytes: ByteReader): Promise<number> {
  let at = 0
  for (;;) {
    const length = id3Length(await bytes.read(at, HEADER))
    if (length === 0) return at
    at += length
  }
}
