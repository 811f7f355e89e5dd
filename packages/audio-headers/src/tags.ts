import { type ByteSource, bufferOf } from './byte-source.ts'
import { firstMp3Frame } from './first-frame.ts'
import { findMp3Frame, THREE_FRAMES } from './mp3-header.ts'

const ID3_HEADER = 10
const ID3V1 = 128
const APE_EDGE = 32
// A tagger may have put a tag before the one that was there; more than this nobody wrote.
const MOST_TAGS = 8

/** Length of an ID3v2 tag that starts here, header and footer included; 0 when there is none. */
export function id3Length(bytes: Uint8Array): number {
  const [i, d, three, , , flags = 0, a = 0, b = 0, c = 0, e = 0] = bytes
  if (bytes.length < ID3_HEADER || i !== 0x49 || d !== 0x44 || three !== 0x33) return 0
  // Seven bits a byte, so that a size never looks like an MPEG frame (ID3v2.4 §6.2).
  const size = ((a & 127) << 21) | ((b & 127) << 14) | ((c & 127) << 7) | (e & 127)
  return ID3_HEADER + size + (flags & 0x10 ? ID3_HEADER : 0)
}

/** Length of an APEv2 tag that starts or ends with this edge; 0 when it is none. */
function apeLength(edge: Uint8Array): number {
  const view = bufferOf(edge)
  if (view.length < APE_EDGE || view.toString('latin1', 0, 8) !== 'APETAGEX') return 0
  // Without its head, which not every tag has.
  const hasHead = view.readUInt32LE(20) >= 2 ** 31
  return view.readUInt32LE(12) + (hasHead ? APE_EDGE : 0)
}

/**
 * Where the sound starts. Taggers put tags in front of anything, and covers make them megabytes long.
 * One that claims to reach into frames of sound, or beyond the file, is not believed.
 */
export async function afterTags(source: ByteSource): Promise<number> {
  const claimed = await claimedEnd(source)
  if (claimed === 0 || !(await isBeyondSound(source, claimed))) return claimed
  return (await firstMp3Frame(source, 0))?.at ?? claimed
}

async function isBeyondSound(source: ByteSource, end: number): Promise<boolean> {
  const from = Math.max(0, end - THREE_FRAMES)
  return end >= source.size || findMp3Frame(await source.read(from, end - from)) >= 0
}

/** Where the tags end by what they say themselves. */
export async function claimedEnd(source: ByteSource): Promise<number> {
  let at = 0
  for (let tags = 0; tags < MOST_TAGS; tags++) {
    const head = await source.read(at, APE_EDGE)
    const length = id3Length(head) || apeLength(head)
    if (length === 0) break
    at += length
  }
  return at
}

/** Where the sound of an MP3 file ends: APEv2 stands before ID3v1. */
export async function beforeTags(source: ByteSource): Promise<number> {
  const tail = await source.read(Math.max(0, source.size - ID3V1), ID3V1)
  const hasId3v1 = bufferOf(tail).toString('latin1', 0, 3) === 'TAG'
  const end = hasId3v1 ? source.size - ID3V1 : source.size
  const ape = apeLength(await source.read(Math.max(0, end - APE_EDGE), APE_EDGE))
  return Math.max(0, end - ape)
}
