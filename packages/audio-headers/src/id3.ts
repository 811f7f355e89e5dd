import type { ByteSource } from './byte-source.ts'

const HEADER = 10
// A tagger may have put a tag before the one that was there; more than this nobody wrote.
const MOST_TAGS = 8

/** Length of an ID3v2 tag that starts here, header and footer included; 0 when there is none. */
export function id3Length(bytes: Uint8Array): number {
  const [i, d, three, , , flags = 0, a = 0, b = 0, c = 0, e = 0] = bytes
  if (bytes.length < HEADER || i !== 0x49 || d !== 0x44 || three !== 0x33) return 0
  // Seven bits a byte, so that a size never looks like an MPEG frame (ID3v2.4 §6.2).
  const size = ((a & 127) << 21) | ((b & 127) << 14) | ((c & 127) << 7) | (e & 127)
  return HEADER + size + (flags & 0x10 ? HEADER : 0)
}

/** Where the sound starts. Taggers put ID3v2 in front of anything, and covers make it megabytes long. */
export async function afterId3(source: ByteSource): Promise<number> {
  let at = 0
  for (let tags = 0; tags < MOST_TAGS; tags++) {
    const length = id3Length(await source.read(at, HEADER))
    if (length === 0) break
    at += length
  }
  return at
}
