import { type ByteSource, bufferOf } from './byte-source.ts'
import { firstMp3Frame } from './first-frame.ts'
import { findMp3Frame, type Mp3Header, parseMp3Header, THREE_FRAMES } from './mp3-header.ts'
import { beforeTags } from './tags.ts'

export type Mp3Info = {
  header: Mp3Header
  /** First byte of the first frame that carries sound, and the first byte after the last. */
  start: number
  end: number
  /** MPEG frames between them; undefined when no header says and they are not all of one length. */
  count: number | undefined
  /** Frames of sound that the encoder and decoder put before the first and after the last real one. */
  delay: number
  padding: number
  constant: boolean
  /** Of a copy that was cut short and whose rate varies, the count is only about right. */
  estimated: boolean
  /** Byte offsets from `start` for hundredths of the playing time. */
  toc: number[] | undefined
}

/** mpg123 and every other decoder of this kind adds 528 + 1 frames of its own. */
const DECODER_DELAY = 529
/** A file that is longer than its header says by more than leftovers of taggers was joined of several. */
const JOINED = 1.0625

/** `tagged` is where the tags before the sound end; undefined when no MPEG frames follow. */
export async function readMp3Info(bytes: ByteSource, tagged: number): Promise<Mp3Info | undefined> {
  const found = await firstMp3Frame(bytes, tagged)
  if (!found) return undefined
  const { at, header, first } = found
  const end = await beforeTags(bytes)
  const tag = readXing(first, header) ?? readVbri(first)
  const start = tag ? at + header.length : at
  const share = tag && tag.bytes > 0 ? (end - start + header.length) / tag.bytes : 1
  // Of a file that was joined of several, the header tells of the first alone.
  if (!tag || share > JOINED) {
    const constant = await isConstant(bytes, header, start, end)
    const count = constant ? Math.floor((end - start) / frameLength(header)) : undefined
    const delay = tag?.delay ?? 0
    return { ...{ header, start, end, count, delay, padding: 0, constant }, ...UNTOLD }
  }
  // A copy that was cut short still has the header of the whole.
  const isWhole = share > 0.999
  const count = tag.count === undefined ? undefined : Math.ceil(tag.count * Math.min(1, share))
  return {
    ...{ header, start, end, count },
    delay: tag.delay,
    padding: isWhole ? tag.padding : 0,
    constant: tag.constant,
    estimated: !isWhole && !tag.constant,
    toc: isWhole ? tag.toc : undefined,
  }
}

const UNTOLD = { estimated: false, toc: undefined }

/** Exact, with the fraction that the padding bit evens out over many frames. */
export const frameLength = (header: Mp3Header) => (header.samples * header.kbps * 125) / header.rate

type Tag = {
  count: number | undefined
  bytes: number
  toc: number[] | undefined
  delay: number
  padding: number
  constant: boolean
}

/** `Xing` (variable) or `Info` (constant) in the first frame, with LAME's addition behind it. */
function readXing(frame: Uint8Array, { mpeg1, mono }: Mp3Header): Tag | undefined {
  const view = bufferOf(frame)
  let at = 4 + (mpeg1 ? (mono ? 17 : 32) : mono ? 9 : 17)
  const name = view.toString('latin1', at, at + 4)
  if ((name !== 'Xing' && name !== 'Info') || view.length < at + 8) return undefined
  const flags = view.readUInt32BE(at + 4)
  at += 8
  const fields = [4, 4, 100, 4].filter((_, bit) => flags & (1 << bit))
  // The frame is too short for what it says it holds.
  if (view.length < fields.reduce((end, length) => end + length, at)) return undefined
  const number = (flag: number) => {
    if (!(flags & flag)) return undefined
    at += 4
    return view.readUInt32BE(at - 4)
  }
  const count = number(1)
  const bytes = number(2) ?? 0
  const toc = flags & 4 ? xingToc(view.subarray(at, at + 100), bytes) : undefined
  at += (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0)
  return { count, bytes, toc, ...lameDelays(view.subarray(at)), constant: name === 'Info' }
}

const xingToc = (toc: Uint8Array, bytes: number) => [...toc].map((share) => (share / 256) * bytes)

function lameDelays(tag: Buffer): { delay: number; padding: number } {
  const packed = tag.length >= 24 && tag[0] !== 0 ? tag.readUIntBE(21, 3) : 0
  const delay = packed >> 12
  const padding = packed & 0xfff
  if (delay === 0) return { delay: 0, padding: 0 }
  return { delay: delay + DECODER_DELAY, padding: Math.max(0, padding - DECODER_DELAY) }
}

/** Fraunhofer's header, always 36 bytes into the frame; its table steps over groups of frames. */
function readVbri(frame: Uint8Array): Tag | undefined {
  const view = bufferOf(frame)
  if (view.toString('latin1', 36, 40) !== 'VBRI' || view.length < 62) return undefined
  const bytes = view.readUInt32BE(46)
  const count = view.readUInt32BE(50)
  return { count, bytes, toc: vbriToc(view, bytes), delay: 0, padding: 0, constant: false }
}

const WIDEST_ENTRY = 4

/** Undefined where the table is not as the header says. */
function vbriToc(view: Buffer, bytes: number): number[] | undefined {
  const [entries, scale, width] = [54, 56, 58].map((at) => view.readUInt16BE(at)) as [
    number,
    number,
    number,
  ]
  const isTable = entries > 0 && width > 0 && width <= WIDEST_ENTRY
  if (!isTable || 62 + entries * width > view.length) return undefined
  const starts = [0]
  for (let i = 0; i < entries; i++)
    starts.push((starts.at(-1) ?? 0) + view.readUIntBE(62 + i * width, width) * scale)
  return Array.from(
    { length: 100 },
    (_, percent) => starts[Math.floor((percent / 100) * entries)] ?? bytes,
  )
}

/** Old encoders wrote variable bit rates without saying so; frames where they should be prove it constant. */
async function isConstant(bytes: ByteSource, header: Mp3Header, start: number, end: number) {
  const length = frameLength(header)
  const total = Math.floor((end - start) / length)
  for (const share of [0.25, 0.5, 0.75, 0.9]) {
    const at = start + Math.floor(Math.floor(total * share) * length)
    const near = await bytes.read(Math.max(start, at - 1), 8)
    const found = [0, 1, 2].some((offset) => parseMp3Header(near, offset)?.kbps === header.kbps)
    if (!found) return false
  }
  return true
}

/** The rate is the same further on, wherever its frames lie: not every encoder pads them evenly. */
export async function steadyBitRate(bytes: ByteSource, { header, start, end }: Mp3Info) {
  if (end - start < 4 * THREE_FRAMES) return true
  for (const share of [0.25, 0.5, 0.75]) {
    const piece = await bytes.read(start + Math.floor((end - start) * share), THREE_FRAMES)
    const found = parseMp3Header(piece, Math.max(0, findMp3Frame(piece)))
    if (found?.kbps !== header.kbps || found.rate !== header.rate) return false
  }
  return true
}
