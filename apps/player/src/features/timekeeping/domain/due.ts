/** Something that is to happen at a moment of the wall clock, once for its local date. */
export type Occasion = {
  /** What it is, the same every day. */
  key: string
  /** The local date it belongs to, which a jump of the clock does not change. */
  date: string
  /** Unix milliseconds. */
  at: number
  /** How late it may still come when the clock has jumped over it. */
  late_ms: number
  /** Another of its key that is no farther away is the same one, moved; one that is, is another. */
  same_ms: number
}

type Circumstances = {
  now: number
  /** When the box last looked with a clock it trusted; undefined after a start or a distrusted clock. */
  lastLook: number | undefined
  /** It has happened on that date, or is about to. */
  isSettled(occasion: Occasion): boolean
}

/** Later than this it would be a surprise in a quiet house. */
const GRACE_MS = 60_000

/** What is to happen now, and what was missed: nothing comes late, nothing twice. */
export function judge<O extends Occasion>(
  occasions: O[],
  { now, lastLook, isSettled }: Circumstances,
): { due: O[]; missed: O[] } {
  const past = occasions.filter((occasion) => occasion.at <= now && !isSettled(occasion))
  // Since the last look, or since nobody knows when.
  const isNews = ({ at }: O) => lastLook === undefined || at > lastLook
  const isInTime = (occasion: O) => {
    const late = now - occasion.at
    // The box was awake and would have done it: only its clock has gone past the moment.
    const wasJumpedOver = lastLook !== undefined && isNews(occasion)
    return late <= GRACE_MS || (wasJumpedOver && late <= occasion.late_ms)
  }
  return {
    due: past.filter(isInTime),
    missed: past.filter((occasion) => !isInTime(occasion) && isNews(occasion)),
  }
}
