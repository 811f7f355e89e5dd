/** A gap longer than this is the machine's sleep, not a late timer; it is not made up for. */
const LONGEST_GAP_S = 1

/** The clock of a sink: sound leaves at `rate`, and `lead` frames of it are written ahead. */
export function createPace(
  rate: number,
  lead: number,
  now: () => number = performance.now.bind(performance),
) {
  let origin = now()
  let written = 0

  const clock = () => ((now() - origin) * rate) / 1000

  return {
    written: () => written,
    wrote(frames: number) {
      written += frames
    },
    heard: () => Math.min(written, Math.floor(clock())),
    wanted() {
      const due = Math.floor(clock()) + lead - written
      const excess = due - lead - rate * LONGEST_GAP_S
      if (excess <= 0) return Math.max(0, due)
      origin += (excess / rate) * 1000
      return due - excess
    },
    resumeClock() {
      const behind = clock() - written
      if (behind > 0) origin += (behind / rate) * 1000
    },
  }
}
