/** A gap longer than this is the machine's sleep, not a late timer; it is not made up for. */
const LONGEST_GAP_S = 1

export type Leads = {
  /** How far ahead of what is heard sound is written. */
  sound_s: number
  /** The same for silence: less, since what comes next waits behind it. 0: it needs none. */
  silence_s: number
  /** Written at once at the start: a device begins when its buffer is full. */
  start_s: number
}

/** The clock of a sink: frames leave at `rate`, and some are written ahead. */
export function createPace(
  rate: number,
  { sound_s, silence_s, start_s }: Leads,
  now: () => number = performance.now.bind(performance),
) {
  const lead = Math.floor(rate * sound_s)
  const silenceLead = Math.floor(rate * silence_s)
  let origin = now()
  let written = 0
  let startAt = Math.floor(rate * start_s)

  const clock = () => ((now() - origin) * rate) / 1000
  const setClock = (frames: number) => {
    origin = now() - (frames / rate) * 1000
  }

  return {
    lead,
    written: () => written,
    wrote(frames: number) {
      written += frames
    },
    heard: () => Math.max(0, Math.min(written, Math.floor(clock()))),
    wanted(isSound: boolean) {
      const ahead = isSound ? lead : silenceLead
      const overslept = clock() - written - rate * LONGEST_GAP_S
      if (overslept > 0) origin += (overslept / rate) * 1000
      if (!isSound && silenceLead === 0) return 0
      return Math.max(0, Math.max(Math.floor(clock()) + ahead, startAt) - written)
    },
    /** What is written lasts no longer than a late timer may take. */
    isDry: () => written - clock() < silenceLead,
    /** Time without anything written is not to be made up for. */
    resumeClock() {
      if (clock() > written) setClock(written)
    },
    /** It has run dry and stopped: all was heard, and it waits for a full buffer again. */
    restart() {
      setClock(written)
      startAt = written + Math.floor(rate * start_s)
    },
    /** What the device itself says it has played. */
    correct: setClock,
  }
}
