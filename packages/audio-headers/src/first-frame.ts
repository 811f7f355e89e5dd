import type { ByteSource } from './byte-source.ts'
import { findMp3Frame, LOOK_AHEAD, parseMp3Header, THREE_FRAMES } from './mp3-header.ts'

/** Covers and other leftovers of taggers may lie before the first frame; further on none is looked for. */
const FARTHEST = 4 * 1024 * 1024

/** The first frame from `from` on and where it lies. */
export async function firstMp3Frame(bytes: ByteSource, from: number) {
  // Each piece overlaps the one before by frames enough to be sure of the first.
  for (let base = from; base - from < FARTHEST; base += LOOK_AHEAD - THREE_FRAMES) {
    const piece = await bytes.read(base, LOOK_AHEAD)
    const at = findMp3Frame(piece)
    const header = at < 0 ? undefined : parseMp3Header(piece, at)
    if (header) return { at: base + at, header, first: piece.subarray(at, at + header.length) }
    if (piece.length < LOOK_AHEAD) return undefined
  }
  return undefined
}
