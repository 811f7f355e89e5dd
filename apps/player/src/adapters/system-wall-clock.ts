import { createQueue } from '@manara/kit/queue'
import type { Clock } from '../ports/clock.ts'
import type { ClocksSet, TimeSource, VouchedTime, WallClock } from '../ports/wall-clock.ts'
import type { SyncEvidence } from './clock-sync.ts'
import { createAttempts } from './wall-clock/attempts.ts'
import { type ChipParts, createChip } from './wall-clock/chip.ts'
import { isPlausible } from './wall-clock/plausible.ts'

export type WallClockParts = ChipParts & {
  clock: Clock
  /** Seconds since boot, sleep included. */
  uptime(): number
  /** Another after every boot. */
  bootId: string
  setSystemClock(epoch_s: number): Promise<void>
  evidence: SyncEvidence
  memory: {
    read(): VouchedTime | undefined
    save(time: VouchedTime): void
  }
  /** Whoever started the service says that the machine's clock is right. */
  vouchedFor: boolean
}

const WATCH_MS = 1_000
const ASK_MS = 15_000
// Daemons slew by milliseconds; two seconds at once is somebody setting the clock, or a sleep.
const JUMP_MS = 2_000
// A chip drifts by seconds a week, so within this the machine's finer clock is as good.
const RTC_DRIFT_MS = 10_000

/** The machine's clock, with the truth about who vouches for it. Does nothing before `start`. */
export function createSystemWallClock(parts: WallClockParts) {
  const { clock, uptime, memory, log } = parts
  const { succeeds, ifPossible } = createAttempts(log)
  const listeners = new Set<() => void>()
  let source: TimeSource = 'none'
  let offset_ms = 0
  let wasTrusted = false
  let staleEvidence: string | undefined
  let seen = readings()
  let isSetting = false
  // Asking the network and setting by hand decide about the same things.
  const queue = createQueue()
  const ends: (() => void)[] = []

  // Uptime and monotonic time come with fractions of a millisecond.
  const now = () => Math.round(clock.now() + offset_ms)
  const chip = createChip(parts, now)

  function readings() {
    const up_ms = uptime() * 1000
    return { sinceBoot: clock.now() - up_ms, asleep: up_ms - clock.monotonic() }
  }

  function tell(reason: string) {
    log.info({ source, offset_ms, reason }, 'wall clock')
    for (const listener of [...listeners]) {
      try {
        listener()
      } catch (error) {
        log.warn({ err: error }, 'a listener of the wall clock failed')
      }
    }
  }

  /** A clock that could not be set is corrected by a difference. */
  async function become(epoch_s: number): Promise<boolean> {
    const since = clock.monotonic()
    isSetting = true
    const isSet = await succeeds(parts.setSystemClock(epoch_s))
    offset_ms = isSet ? 0 : epoch_s * 1000 + (clock.monotonic() - since) - clock.now()
    seen = readings()
    isSetting = false
    return isSet
  }

  async function askNetwork(): Promise<void> {
    if (source === 'sntp') return
    const found = await parts.evidence()
    if (found === undefined) staleEvidence = undefined
    if (found === undefined || found === staleEvidence) return
    source = 'sntp'
    offset_ms = 0
    staleEvidence = undefined
    rememberIfPossible('sntp')
    await chip.follow()
    tell('the network has set the clock')
  }

  const ask = () =>
    queue
      .run(askNetwork)
      .catch((error) => log.warn({ err: error }, 'the network could not be asked'))

  function watch() {
    if (isSetting) return
    const before = seen
    seen = readings()
    const jump_ms = seen.sinceBoot - before.sinceBoot
    if (Math.abs(jump_ms) > JUMP_MS) return jumped(jump_ms)
    if (seen.asleep - before.asleep > JUMP_MS) tell('the box has slept')
  }

  function jumped(jump_ms: number) {
    if (offset_ms !== 0) {
      // The time that a person told the service stands, whatever becomes of the machine's clock.
      offset_ms -= jump_ms
      if (source === 'manual') rememberIfPossible('manual')
    } else {
      // Who may set the machine's clock vouches for it; the network, if it was that, is heard next.
      // Where nobody ever did, a system that starts may have put back the time it was stopped at.
      wasTrusted ||= source !== 'none'
      if (wasTrusted) source = isPlausible(now()) ? 'manual' : 'none'
      if (source === 'manual') rememberIfPossible('manual')
      tell("the machine's clock was set")
    }
    void ask()
  }

  function remember(by: VouchedTime['source']) {
    memory.save({
      source: by,
      boot_id: parts.bootId,
      since_boot_ms: readings().sinceBoot,
      offset_ms,
      stale_evidence: staleEvidence,
    })
  }

  const rememberIfPossible = (by: VouchedTime['source']) =>
    ifPossible('the source of the time', () => remember(by))

  /** Within one boot the uptime proves that nobody set the clock since; over a power cut nothing does. */
  function recallVouched() {
    const kept = memory.read()
    if (kept?.boot_id !== parts.bootId) return
    if (Math.abs(readings().sinceBoot - kept.since_boot_ms) > JUMP_MS) return
    offset_ms = kept.offset_ms
    staleEvidence = kept.stale_evidence
    source = kept.source
  }

  async function recallRtc(): Promise<boolean> {
    const rtc_s = await chip.read()
    if (rtc_s === undefined) return false
    if (Math.abs(rtc_s * 1000 - clock.now()) > RTC_DRIFT_MS) await become(rtc_s)
    source = 'rtc'
    return true
  }

  async function setByHand(epoch_s: number): Promise<ClocksSet> {
    const system_clock = await become(epoch_s)
    const rtc = await chip.set()
    staleEvidence = await parts.evidence()
    source = 'manual'
    try {
      remember('manual')
    } finally {
      // Kept or not, the time is what it is now.
      tell('a person has set the time')
    }
    return { system_clock, rtc }
  }

  const wall: WallClock = {
    now,
    isSet: () => source !== 'none' || isPlausible(now()),
    isTrusted: () => source !== 'none',
    source: () => source,
    onChange(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    set: (epoch_s) => queue.run(() => setByHand(epoch_s)),
  }

  return {
    ...wall,

    /** Resolves when it is known who vouches for the time. */
    async start() {
      recallVouched()
      await ask()
      if (source === 'none' && !(await recallRtc()) && parts.vouchedFor) {
        source = 'manual'
      }
      seen = readings()
      ends.push(
        clock.every(WATCH_MS, watch),
        clock.every(ASK_MS, () => void ask()),
      )
    },

    stop() {
      for (const end of ends.splice(0)) end()
    },
  }
}
