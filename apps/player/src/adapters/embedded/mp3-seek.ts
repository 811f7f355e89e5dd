import { findMp3Frame, parseMp3Header, THREE_FRAMES } from '@manara/audio-headers/mp3-header'
import { frameLength, type Mp3Info } from '@manara/audio-headers/mp3-info'
import type { ByteReader } from './byte-reader.ts'

export type Mp3Place = { byte: number; index: number; estimated?: boolean }

const BLOCK = 64 * 1024
/** Every 32nd frame is remembered: 0.8 s apart, 70 KB for a recitation of two hours. */
const STRIDE = 32
/** Walking over this much takes about half a second on a slow card; beyond it the table of contents has to do. */
const LONGEST_WALK = 16 * 1024 * 1024

/** The way that was walked through a file: where every 32nd frame lies, and how far it has come. */
type Way = { places: number[]; walked: { byte: number; index: number } }

/** Of the last files: verse after verse is played from one of them, and walks it once. */
const ways = new Map<string, Way>()
const MOST_WAYS = 2

function wayThrough({ version }: ByteReader, { start }: Mp3Info): Way {
  const way = ways.get(version) ?? { places: [start], walked: { byte: start, index: 0 } }
  ways.delete(version)
  ways.set(version, way)
  for (const oldest of [...ways.keys()].slice(0, -MOST_WAYS)) ways.delete(oldest)
  return way
}

/** Finds MPEG frames by number. */
export function createMp3Seek(bytes: ByteReader, info: Mp3Info) {
  const way = wayThrough(bytes, info)
  const { places } = way

  /** Steps from header to header, remembering the way, until frame `index` or the end. */
  async function walk(index: number): Promise<Mp3Place> {
    let { walked } = way
    let base = walked.byte
    let block = await bytes.read(base, BLOCK)
    while (walked.index < index && walked.byte < info.end) {
      const isRead = walked.byte - base + THREE_FRAMES <= block.length || block.length < BLOCK
      if (!isRead || walked.byte - base + 4 > block.length) {
        base = walked.byte
        block = await bytes.read(base, BLOCK)
        if (block.length < 4) break
      }
      const at = walked.byte - base
      const header = parseMp3Header(block, at)
      if (header) walked = { byte: walked.byte + header.length, index: walked.index + 1 }
      else walked = { ...walked, byte: base + nextFrame(block, at) }
      if (header && walked.index % STRIDE === 0) places[walked.index / STRIDE] = walked.byte
    }
    // Another walk may have come further while this one waited for the card.
    if (walked.index > way.walked.index || walked.byte > way.walked.byte) way.walked = walked
    return walked
  }

  /** `exact` walks as far as it takes, once. */
  async function locate(index: number, exact = false): Promise<Mp3Place> {
    const computed = info.constant ? await locateConstant(index) : undefined
    if (computed && !(exact && computed.estimated)) return computed
    const known = places[Math.floor(index / STRIDE)]
    if (known !== undefined && index <= way.walked.index) {
      const from = { byte: known, index: Math.floor(index / STRIDE) * STRIDE }
      return stepTo(from, index)
    }
    const { toc, count } = info
    const ahead = count ? ((index - way.walked.index) / count) * (info.end - info.start) : 0
    if (!exact && toc && count && ahead > LONGEST_WALK) return estimate(index, toc, count)
    return walk(index)
  }

  async function locateConstant(index: number): Promise<Mp3Place> {
    const about = info.start + Math.floor(index * frameLength(info.header))
    if (index === 0) return { byte: info.start, index }
    // Encoders place the padding byte differently, so the header may be one byte off.
    const near = await bytes.read(about - 1, 8)
    const offset = [1, 0, 2].find((i) => parseMp3Header(near, i)?.kbps === info.header.kbps)
    return offset === undefined
      ? { byte: about, index, estimated: true }
      : { byte: about - 1 + offset, index }
  }

  async function stepTo(from: Mp3Place, index: number): Promise<Mp3Place> {
    const block = await bytes.read(from.byte, BLOCK)
    let { byte } = from
    for (let i = from.index; i < index; i++)
      byte += parseMp3Header(block, byte - from.byte)?.length ?? 0
    return { byte, index }
  }

  async function estimate(index: number, toc: number[], count: number): Promise<Mp3Place> {
    const percent = Math.min(99, (index / count) * 100)
    const low = toc[Math.floor(percent)] ?? 0
    const high = toc[Math.floor(percent) + 1] ?? info.end - info.start
    const about = info.start + low + (high - low) * (percent % 1)
    return { byte: Math.floor(about), index, estimated: true }
  }

  return {
    locate,
    /** Counts the frames of a file that does not say how many it has. */
    count: async () => (await walk(Number.POSITIVE_INFINITY)).index,
  }
}

/** A frame at the very end of a block is sure only with those of the next. */
function nextFrame(block: Uint8Array, at: number): number {
  const found = findMp3Frame(block, at + 1)
  if (found >= 0) return found
  return block.length < BLOCK ? block.length : Math.max(at + 1, block.length - THREE_FRAMES + 1)
}
