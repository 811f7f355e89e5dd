import type { Block } from './fader.ts'
import type { Pcm } from './pcm.ts'

export type Ring = ReturnType<typeof createRing>

/**
 * Sound waiting for the sink, 16-bit stereo. What was read stays for `history` frames, so that a
 * pause can go back to what was heard when the sink had already taken more.
 */
export function createRing(capacity: number, history: number) {
  const size = capacity + history
  const samples = new Int16Array(size * 2)
  let readAt = 0
  let unread = 0
  let kept = 0

  return {
    frames: () => unread,

    /** Writes at most `count` frames of `pcm` from `from` on and says how many found room. */
    write(pcm: Pcm, from: number, count: number): number {
      const left = pcm.channels[0]
      const right = pcm.channels[1] ?? left
      if (!left || !right) return 0
      // What was taken back may be more than there is room for.
      const frames = Math.max(0, Math.min(count, capacity - unread))
      let at = (readAt + unread) % size
      for (let i = from; i < from + frames; i++) {
        samples[at * 2] = toSample(left[i] ?? 0)
        samples[at * 2 + 1] = toSample(right[i] ?? 0)
        if (++at === size) at = 0
      }
      unread += frames
      return frames
    },

    /** The next frames, at the gain of each block: at most as many as there are. */
    read(blocks: Block[]): Int16Array {
      const out = new Int16Array(blocks.reduce((sum, { frames }) => sum + frames, 0) * 2)
      let at = 0
      for (const { frames, fromGain, toGain } of blocks) {
        const slope = (toGain - fromGain) / frames
        for (let i = 1; i <= frames; i++) {
          const gain = fromGain + slope * i
          out[at++] = Math.round((samples[readAt * 2] ?? 0) * gain)
          out[at++] = Math.round((samples[readAt * 2 + 1] ?? 0) * gain)
          if (++readAt === size) readAt = 0
        }
        unread -= frames
        kept = Math.min(history, kept + frames)
      }
      return out
    },

    /** Makes frames that were read unread again and says how many could be. */
    rewind(frames: number): number {
      const count = Math.min(frames, kept)
      readAt = (readAt - count + size) % size
      unread += count
      kept -= count
      return count
    },
  }
}

// 32768 and not 32767: sixteen-bit sources then come out bit for bit as they went in.
function toSample(value: number): number {
  return Math.max(-32768, Math.min(32767, Math.round(value * 32768)))
}
