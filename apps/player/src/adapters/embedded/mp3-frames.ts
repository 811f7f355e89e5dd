import { findMp3Frame, parseMp3Header, THREE_FRAMES } from '@manara/audio-headers/mp3-header'

/**
 * Whole frames of what comes in pieces, and nothing that lies between them: the decoder would believe
 * a tag inside the sound that claims to be longer than it is.
 */
export function createMp3Frames() {
  let held = Buffer.alloc(0)
  /** What comes next begins where a frame has ended. */
  let isInStep = false

  /** Where the next frame begins; the end of what is known to be none when there is none yet. */
  function find(at: number, isLast: boolean): number {
    const found = isLast || held.length - at >= THREE_FRAMES ? findMp3Frame(held, at) : -1
    isInStep = found >= 0
    return isInStep ? found : Math.max(at, held.length - THREE_FRAMES + 1)
  }

  return (piece: Uint8Array, isLast = false): Uint8Array => {
    held = Buffer.concat([held, piece])
    const frames: Uint8Array[] = []
    let at = 0
    for (;;) {
      if (!isInStep) at = find(at, isLast)
      if (!isInStep || at + 4 > held.length) break
      const header = parseMp3Header(held, at)
      isInStep = header !== undefined
      if (!header) continue
      if (at + header.length > held.length) break
      frames.push(held.subarray(at, at + header.length))
      at += header.length
    }
    held = held.subarray(at)
    return Buffer.concat(frames)
  }
}
