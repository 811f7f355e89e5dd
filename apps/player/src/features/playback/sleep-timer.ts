import type { Logger } from '@manara/kit/logging'
import type { SleepTimerBody, SleepTimerStatus } from '@manara/player-contract/queue'
import type { Falling } from '../../ports/audio-output.ts'
import type { Clock } from '../../ports/clock.ts'
import type { WallClock } from '../../ports/wall-clock.ts'
import type { SleepTimerStore } from './sleep-timer.store.ts'

export type SleepTimerDeps = {
  clock: Clock
  wall: Pick<WallClock, 'now' | 'onChange'>
  store: SleepTimerStore
  log: Pick<Logger, 'warn'>
  /** Slides what sounds to that part of the volume; what begins later asks for it. Never the adhan. */
  fade(level: number, duration_ms: number): Promise<void>
  /**
   * Stops what plays, and keeps the place. The adhan and what belongs to it are never cut short: what
   * they interrupted does not go on.
   */
  silence(): Promise<void>
  onChange(status: SleepTimerStatus): void
}

export type SleepTimer = ReturnType<typeof createSleepTimer>

const DEFAULT_FADE_S = 30
const BACK_MS = 500

/**
 * Ends what plays after a while, quietly. Goes by time that passes, not by the clock on the wall; only
 * while the box is off that clock has to do.
 */
export function createSleepTimer(deps: SleepTimerDeps) {
  const { clock, log, store, wall } = deps
  let ends: (() => void)[] = []
  let endsAt: number | undefined
  let length_ms = 0
  let fade_s = DEFAULT_FADE_S

  function status(): SleepTimerStatus {
    if (endsAt === undefined) return { active: false, in_s: 0, fade_s }
    const in_s = Math.max(0, Math.ceil((endsAt - clock.monotonic()) / 1000))
    return { active: true, in_s, fade_s }
  }

  function clear() {
    for (const end of ends) end()
    ends = []
    endsAt = undefined
  }

  function begin(left_ms: number) {
    endsAt = clock.monotonic() + left_ms
    const untilFade_ms = Math.max(0, left_ms - fade_s * 1000)
    ends = [clock.after(untilFade_ms, beginFade), clock.after(left_ms, end), wall.onChange(keep)]
  }

  /** Again when the clock on the wall is set: by its new time. */
  function keep() {
    if (endsAt === undefined) return
    const ends_at = wall.now() + endsAt - clock.monotonic()
    write(() => store.save({ ends_at, length_ms, fade_s }))
  }

  const forget = () => write(store.clear)

  /** It holds also where the disk is full: then only a start does not know of it. */
  function write(change: () => void) {
    try {
      change()
    } catch (error) {
      log.warn({ err: error }, 'the sleep timer could not be kept')
    }
  }

  const attempt = (work: Promise<void>, what: string) =>
    work.catch((error) => log.warn({ err: error }, what))

  function beginFade() {
    const left_ms = Math.max(0, (endsAt ?? 0) - clock.monotonic())
    void attempt(deps.fade(0, left_ms), 'the sleep timer cannot fade')
  }

  /** Where the fade has come to, whatever sounds or does not: what begins now goes on from there. */
  function falling(): Falling | undefined {
    const fade_ms = fade_s * 1000
    if (endsAt === undefined || fade_ms === 0) return undefined
    const over_ms = Math.max(0, endsAt - clock.monotonic())
    return over_ms <= fade_ms ? { level: over_ms / fade_ms, over_ms } : undefined
  }

  /** What sounds is at the whole volume again, if it was not. */
  async function callOff() {
    const wasFading = falling() !== undefined
    clear()
    if (wasFading) await deps.fade(1, BACK_MS)
  }

  function end() {
    clear()
    void attempt(deps.silence(), 'the sleep timer cannot stop').then(() => {
      // Not before: until it is silent, a start after a power cut has to end it.
      forget()
      deps.onChange(status())
    })
  }

  return {
    status,
    falling,

    /** From now on, also when one was set before. */
    async set({
      minutes,
      fade_s: wanted = DEFAULT_FADE_S,
    }: SleepTimerBody): Promise<SleepTimerStatus> {
      const calledOff = callOff()
      length_ms = minutes * 60_000
      fade_s = Math.min(wanted, minutes * 60)
      begin(length_ms)
      keep()
      await calledOff
      deps.onChange(status())
      return status()
    },

    async cancel(): Promise<SleepTimerStatus> {
      const calledOff = callOff()
      forget()
      await calledOff
      deps.onChange(status())
      return status()
    },

    /**
     * After a restart it goes on as if the box had been on. True when it would have ended meanwhile:
     * then nothing is to sound by itself. A clock that was lost makes it no longer than it was.
     */
    restore(): boolean {
      // The box answers before: somebody has set another meanwhile.
      if (endsAt !== undefined) return false
      const kept = store.read()
      if (!kept) return false
      const left_ms = Math.min(kept.length_ms, kept.ends_at - wall.now())
      if (left_ms <= 0) return true
      ;({ length_ms, fade_s } = kept)
      begin(left_ms)
      deps.onChange(status())
      return false
    },

    /** What it would have ended has been put to rest. */
    settle: forget,

    stop: clear,
  }
}
