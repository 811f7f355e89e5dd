/** One MPEG audio Layer III frame header (ISO 11172-3, 2.4.1.3). */
export type Mp3Header = {
  rate: number
  kbps: number
  /** Frames of sound in one MPEG frame. */
  samples: number
  /** Bytes from this header to the next. */
  length: number
  mono: boolean
  mpeg1: boolean
}

/** How much is looked at to tell what a file is; some taggers leave padding before the first frame. */
export const LOOK_AHEAD = 48 * 1024
/** Long enough for three of the longest frames. */
export const THREE_FRAMES = 4_608

const KBPS_MPEG1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const KBPS_MPEG2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES = [44100, 48000, 32000]
const LAYER_III = 1
const MPEG_1 = 3
const MPEG_2 = 2
const MPEG_RESERVED = 1

export function parseMp3Header(bytes: Uint8Array, at = 0): Mp3Header | undefined {
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0] = bytes.subarray(at, at + 4)
  if (at + 4 > bytes.length || b0 !== 0xff || (b1 & 0xe0) !== 0xe0) return undefined
  const version = (b1 >> 3) & 3
  if (version === MPEG_RESERVED || ((b1 >> 1) & 3) !== LAYER_III) return undefined
  const mpeg1 = version === MPEG_1
  const kbps = (mpeg1 ? KBPS_MPEG1 : KBPS_MPEG2)[b2 >> 4]
  const fullRate = RATES[(b2 >> 2) & 3]
  if (!kbps || !fullRate) return undefined
  const rate = mpeg1 ? fullRate : version === MPEG_2 ? fullRate / 2 : fullRate / 4
  const samples = mpeg1 ? 1152 : 576
  const padding = (b2 >> 1) & 1
  const length = Math.floor((samples * kbps * 125) / rate) + padding
  return { rate, kbps, samples, length, mono: b3 >> 6 === 3, mpeg1 }
}

/** A header counts only if another of the same kind follows where it says: sync bits occur by chance. */
export function findMp3Frame(bytes: Uint8Array, from = 0): number {
  for (let at = from; at + 4 <= bytes.length; at++) {
    if (bytes[at] !== 0xff) continue
    if (followsItself(bytes, at)) return at
  }
  return -1
}

function followsItself(bytes: Uint8Array, at: number): boolean {
  const header = parseMp3Header(bytes, at)
  if (!header) return false
  const next = parseMp3Header(bytes, at + header.length)
  if (!next || next.rate !== header.rate || next.mpeg1 !== header.mpeg1) return false
  const third = at + header.length + next.length
  // At the end of what was read two in a row have to do.
  return third + 4 > bytes.length || parseMp3Header(bytes, third)?.rate === header.rate
}
