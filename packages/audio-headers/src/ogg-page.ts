import { bufferOf } from './byte-source.ts'

/** One page of an Ogg file (RFC 3533, section 6). */
export type OggPage = {
  /** Position of the last frame that ends on this page; -1 when no packet ends here. */
  granule: number
  serial: number
  first: boolean
  last: boolean
  /** Begins in the middle of a packet that the page before started. */
  continued: boolean
  bytes: Uint8Array
  /** Where its packets start in `bytes`. */
  body: number
}

const CONTINUED = 1
const FIRST = 2
const LAST = 4
const FLAGS_AT = 5
const TABLE_AT = 27
export const LARGEST_PAGE = TABLE_AT + 255 + 255 * 255

/** The page that starts at `at`, or undefined when none does or it is not all there. */
export function readOggPage(input: Uint8Array, at: number): OggPage | undefined {
  if (!startsPage(input, at) || at + TABLE_AT > input.length) return undefined
  const view = bufferOf(input.subarray(at))
  const segments = view.readUInt8(26)
  const body = TABLE_AT + segments
  if (body > view.length) return undefined
  const length = view.subarray(TABLE_AT, body).reduce((sum, lacing) => sum + lacing, body)
  if (length > view.length) return undefined
  const flags = view.readUInt8(FLAGS_AT)
  return {
    granule: Number(view.readBigInt64LE(6)),
    serial: view.readUInt32LE(14),
    first: (flags & FIRST) !== 0,
    last: (flags & LAST) !== 0,
    continued: (flags & CONTINUED) !== 0,
    bytes: input.subarray(at, at + length),
    body,
  }
}

export function findOggPage(input: Uint8Array, from: number): number {
  for (let at = from; at + 4 <= input.length; at++) if (startsPage(input, at)) return at
  return -1
}

function startsPage(input: Uint8Array, at: number): boolean {
  return (
    input[at] === 0x4f &&
    input[at + 1] === 0x67 &&
    input[at + 2] === 0x67 &&
    input[at + 3] === 0x53 &&
    (input[at + 4] ?? 0) === 0
  )
}

export const packetText = (page: OggPage) =>
  String.fromCharCode(...page.bytes.subarray(page.body, page.body + 8))

/** A copy without the mark of the last page: trimming the end is ours, as the decoders' works only from the start on. */
export function withoutLastMark(page: OggPage): Uint8Array {
  const bytes = page.bytes.slice()
  bytes[FLAGS_AT] = (bytes[FLAGS_AT] ?? 0) & ~LAST
  return bytes
}

/** A copy without the rest of a packet whose beginning was never read. */
export function withoutContinued(page: OggPage): OggPage {
  if (!page.continued) return page
  const table = page.bytes.subarray(TABLE_AT, page.body)
  const ends = table.findIndex((lacing) => lacing < 255)
  const dropped = ends < 0 ? table.length : ends + 1
  const skipped = table.subarray(0, dropped).reduce((sum, lacing) => sum + lacing, 0)
  const bytes = Buffer.concat([
    page.bytes.subarray(0, TABLE_AT),
    table.subarray(dropped),
    page.bytes.subarray(page.body + skipped),
  ])
  bytes[26] = table.length - dropped
  bytes[FLAGS_AT] = (bytes[FLAGS_AT] ?? 0) & ~CONTINUED
  return { ...page, continued: false, bytes, body: TABLE_AT + table.length - dropped }
}
