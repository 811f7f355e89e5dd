import type { Logger } from '@manara/kit/logging'
import type { SleepBody, SleepStatus } from '@manara/player-contract/queue'
import type { Clock } from '../../ports/clock.ts'

export type SleepTimerDeps = {
  clock: Clock
  log: Pick<Logger, 'warn'>
  /** Slides to that part of the volume; the next source or a resume is at the whole volume again. */
  fade(level: number, duration_ms: number): Promise<void>
  /** Stops what plays, and keeps the place. */
  silence(): Promise<void>
  /** The adhan and what belongs to it are never faded nor cut short. */
  isAnnouncing(): boolean
  onChange(status: SleepStatus): void
}

export type SleepTimer = ReturnType<typeof createSleepTimer>

const DEFAULT_FADE_S = 30
const BACK_MS = 500

/** Ends what plays after a while, quietly. Goes by time that passes, not by the clock on the wall. */
export function createSleepTimer(deps: SleepTimerDeps) {
  const { clock, log } = deps
  let ends: (() => void)[] = []
  let endsAt: number | undefined
  let fade_s = DEFAULT_FADE_S
  let isFading = false
  let isOverdue = false

  function status(): SleepStatus {
    if (endsAt === undefined) return { active: false, in_s: 0, fade_s }
    const in_s = Math.max(0, Math.ceil((endsAt - clock.monotonic()) / 1000))
    return { active: true, in_s, fade_s }
  }

  function clear() {
    for (const end of ends) end()
    ends = []
    endsAt = undefined
    isFading = false
    isOverdue = false
  }

  const attempt = (work: Promise<void>, what: string) =>
    work.catch((error) => log.warn({ err: error }, what))

  function beginFade() {
    if (deps.isAnnouncing()) return
    isFading = true
    void attempt(deps.fade(0, fade_s * 1000), 'the sleep timer cannot fade')
  }

  function end() {
    if (deps.isAnnouncing()) {
      isOverdue = true
      return
    }
    clear()
    void attempt(deps.silence(), 'the sleep timer cannot stop').then(() => deps.onChange(status()))
  }

  return {
    status,

    /** From now on, also when one was set before. */
    async set({ minutes, fade_s: wanted = DEFAULT_FADE_S }: SleepBody): Promise<SleepStatus> {
      if (isFading) await deps.fade(1, BACK_MS)
      clear()
      const length_ms = minutes * 60_000
      fade_s = Math.min(wanted, minutes * 60)
      endsAt = clock.monotonic() + length_ms
      ends = [clock.after(length_ms - fade_s * 1000, beginFade), clock.after(length_ms, end)]
      deps.onChange(status())
      return status()
    },

    async cancel(): Promise<SleepStatus> {
      if (isFading) await deps.fade(1, BACK_MS)
      clear()
      deps.onChange(status())
      return status()
    },

    /** What was announced is over: what it interrupted is not to go on into the night. */
    announcementOver() {
      if (isOverdue) end()
    },

    stop: clear,
  }
}
