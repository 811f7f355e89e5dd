import type { Falling } from '../../ports/audio-output.ts'

export type Block = { frames: number; fromGain: number; toGain: number }

/** So short that it is not heard, and long enough that a step is not heard as a click. */
export const RAMP_MS = 8
const VOLUME_MS = 20
/** While something slides, gain is a straight line over no more than this. */
const BLOCK_MS = 5

type Way = { target: number; left_ms: number }
/** A number on its way to another, and perhaps onward from there. */
type Slide = Way & { value: number; onward?: Way }

const still = (value: number): Slide => ({ value, target: value, left_ms: 0 })

function move(slide: Slide, ms: number): Slide {
  const { target, left_ms, onward } = slide
  if (ms >= left_ms && onward) return move({ value: target, ...onward }, ms - left_ms)
  if (ms >= left_ms) return still(target)
  const value = slide.value + ((slide.target - slide.value) * ms) / slide.left_ms
  return { ...slide, value, left_ms: slide.left_ms - ms }
}

/** By ear: half the number sounds about half as loud. */
const cubed = (share: number) => share ** 3

/** The gain of the frames that are written next: the volume, and a level that fades. */
export function createFader(percent: number) {
  let volume = still(percent)
  let level = still(1)

  const gain = () => cubed(volume.value / 100) * cubed(level.value)

  return {
    setVolume(wanted: number) {
      volume = { ...volume, target: wanted, left_ms: VOLUME_MS }
    },
    /** From the next frame on, for a source that begins. */
    useVolume(wanted: number) {
      volume = still(wanted)
    },
    fade(wanted: number, duration_ms: number) {
      const { value } = level
      level = duration_ms > 0 ? { value, target: wanted, left_ms: duration_ms } : still(wanted)
    },
    /** Comes to where a sleep timer has faded to, and goes on falling from there. */
    fall({ level: from, over_ms }: Falling, rise_ms: number) {
      const onward = { target: 0, left_ms: Math.max(0, over_ms - rise_ms) }
      const { value } = rise_ms > 0 ? level : still(from)
      level = { value, target: from, left_ms: rise_ms, onward }
    },
    /** What is left of a fade. */
    left_ms: () => level.left_ms,
    isRising: () => level.left_ms > 0 && level.target > level.value,

    /** Cuts the next frames into stretches of even slope, and moves on by them. */
    blocks(frames: number, rate: number): Block[] {
      const blocks: Block[] = []
      const most = Math.max(1, Math.round((rate * BLOCK_MS) / 1000))
      for (let left = frames; left > 0; ) {
        const ends = [volume.left_ms, level.left_ms].filter((ms) => ms > 0)
        const slides = ends.length > 0 || level.onward !== undefined
        // A block ends with a slide, however the frames come: what follows has its whole gain.
        const even = Math.min(most, ...ends.map((ms) => Math.ceil((ms * rate) / 1000)))
        const count = slides ? Math.min(left, even) : left
        const fromGain = gain()
        volume = move(volume, (count / rate) * 1000)
        level = move(level, (count / rate) * 1000)
        blocks.push({ frames: count, fromGain, toGain: gain() })
        left -= count
      }
      return blocks
    },
  }
}
