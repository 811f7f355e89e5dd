export type Frame = {
  /** Offset in the searched bytes. */
  at: number
  kbps: number
  rate: number
  /** In one frame, per channel. */
  samples: number
  /** Bytes between the header and a Xing tag. */
  sideInfo: number
  length: number
}

// Layer III, by the header's four-bit index; 0 is free format and 15 is forbidden (ISO 11172-3 §2.4.2.3).
const KBPS_MPEG1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const KBPS_MPEG2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES = [44_100, 48_000, 32_000]

/** The first frame that another of its kind follows: two bytes alone look like one by chance. */
export function findFrame(bytes: Buffer): Frame | undefined {
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const frame = frameAt(bytes, at)
    if (!frame) continue
    const next = at + frame.length
    if (frameAt(bytes, next)?.rate === frame.rate) return frame
  }
  return undefined
}

function frameAt(bytes: Buffer, at: number): Frame | undefined {
  if (at + 4 > bytes.length) return undefined
  const header = bytes.readUInt32BE(at)
  const version = (header >>> 19) & 3
  const layer = (header >>> 17) & 3
  if (header >>> 21 !== 0x7ff || version === 1 || layer !== 1) return undefined
  const isMpeg1 = version === 3
  const kbps = (isMpeg1 ? KBPS_MPEG1 : KBPS_MPEG2)[(header >>> 12) & 0xf]
  const mpeg1Rate = RATES[(header >>> 10) & 3]
  if (!kbps || !mpeg1Rate) return undefined
  // MPEG 2 halves the rates, and its unofficial 2.5 halves them again.
  const rate = isMpeg1 ? mpeg1Rate : version === 2 ? mpeg1Rate / 2 : mpeg1Rate / 4
  const samples = isMpeg1 ? 1152 : 576
  const isMono = ((header >>> 6) & 3) === 3
  const sideInfo = isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17
  const padding = (header >>> 9) & 1
  const length = Math.floor((samples * kbps * 125) / rate) + padding
  return { at, kbps, rate, samples, sideInfo, length }
}
