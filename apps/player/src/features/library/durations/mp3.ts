import { type Frame, findFrame } from './mp3-frame.ts'
import type { Read } from './read.ts'

// Some taggers leave padding between the tag and the first frame.
const SEARCH = 32_768

// Long enough for three of the longest frames.
const WINDOW = 4_608

export async function mp3Duration(
  read: Read,
  start: number,
  size: number,
): Promise<number | undefined> {
  const head = await read(start, SEARCH)
  const frame = findFrame(head)
  if (!frame) return undefined
  const samples = taggedSamples(head.subarray(frame.at), frame)
  if (samples !== undefined) return (samples / frame.rate) * 1000
  const end = size - (await trailingTag(read, size))
  if (!(await isConstant(read, frame, start + frame.at, end))) return undefined
  return ((end - start - frame.at) * 8) / frame.kbps
}

/** What the encoder wrote into a silent first frame: Xing and Info (LAME), or VBRI (Fraunhofer). */
function taggedSamples(first: Buffer, frame: Frame): number | undefined {
  const xing = first.subarray(4 + frame.sideInfo)
  const tag = xing.toString('latin1', 0, 4)
  if ((tag === 'Xing' || tag === 'Info') && xing.length >= 160) return xingSamples(xing, frame)
  const vbri = first.subarray(36)
  if (vbri.toString('latin1', 0, 4) === 'VBRI' && vbri.length >= 18)
    return vbri.readUInt32BE(14) * frame.samples
  return undefined
}

function xingSamples(xing: Buffer, frame: Frame): number | undefined {
  const flags = xing.readUInt32BE(4)
  if ((flags & 1) === 0) return undefined
  const frames = xing.readUInt32BE(8)
  const fields = [4, 4, 100, 4].filter((_, bit) => flags & (1 << bit))
  const lame = 8 + fields.reduce((sum, length) => sum + length, 0)
  return frames * frame.samples - unheard(xing.subarray(lame))
}

// Encoder delay and padding, 12 bits each, are decoded and then dropped by a gapless player.
function unheard(lame: Buffer): number {
  if (!/^(?:LAME|Lav[cf]|L3\.9)/.test(lame.toString('latin1', 0, 4))) return 0
  const bits = lame.readUIntBE(21, 3)
  return (bits >>> 12) + (bits & 0xfff)
}

async function trailingTag(read: Read, size: number): Promise<number> {
  const tail = await read(Math.max(0, size - 128), 3)
  return tail.toString('latin1') === 'TAG' ? 128 : 0
}

// Without a tag the bit rate must hold throughout. A variable one betrays itself in the middle, and
// then no duration is better than a wrong one.
async function isConstant(read: Read, first: Frame, from: number, to: number): Promise<boolean> {
  if (to - from < 4 * WINDOW) return true
  const middle = findFrame(await read(Math.floor((from + to) / 2), WINDOW))
  return middle?.kbps === first.kbps && middle.rate === first.rate
}
