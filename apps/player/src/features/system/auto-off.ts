import type { Logger } from '@manara/kit/logging'
import type { Clock } from '../../ports/clock.ts'
import type { KeepAwake } from './domain/keep-awake.ts'

export type AutoOffDeps = {
  clock: Clock
  /** 0 disables. */
  minutes(): number
  keepAwake: KeepAwake
  /** An adhan or a schedule is so near that the alarm for it might ring before the box sleeps. */
  isDueSoon(): boolean
  /** Rejects where the host cannot sleep. */
  fallAsleep(): Promise<unknown>
  /** Somebody did something; the result ends it. */
  onActivity(listener: () => void): () => void
  log: Pick<Logger, 'info' | 'warn'>
}

const LOOK_EVERY_MS = 5_000

/** Sleeps after so many minutes in which nobody did anything and nothing kept the box awake. */
export function createAutoOff(deps: AutoOffDeps) {
  const { clock, log } = deps
  const ends: (() => void)[] = []
  let idleSince = 0
  let told = ''

  const touch = () => {
    idleSince = clock.monotonic()
  }

  function look() {
    const minutes = deps.minutes()
    if (minutes === 0 || Object.values(deps.keepAwake).some((isReason) => isReason()))
      return touch()
    if (clock.monotonic() - idleSince < minutes * 60_000) return
    if (deps.isDueSoon()) return
    // A host that cannot sleep is asked again after as long.
    touch()
    log.info({ minutes }, 'idle: going to sleep')
    void deps.fallAsleep().catch(tellOnce)
  }

  function tellOnce(error: Error) {
    if (told === error.message) return
    told = error.message
    log.warn({ err: error }, 'auto-off')
  }

  return {
    start() {
      touch()
      ends.push(clock.every(LOOK_EVERY_MS, look), deps.onActivity(touch))
    },
    stop() {
      for (const end of ends.splice(0)) end()
    },
  }
}
