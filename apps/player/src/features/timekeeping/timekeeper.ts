import type { Logger } from '@manara/kit/logging'
import { createQueue } from '@manara/kit/queue'
import type { Clock } from '../../ports/clock.ts'
import type { WallClock } from '../../ports/wall-clock.ts'
import { judge, type Occasion } from './domain/due.ts'
import type { FiredStore } from './fired.store.ts'

/** Where occasions come from and what is done about them. */
export type Agenda<O extends Occasion = Occasion> = {
  /** Those after `from` and not after `until`, in any order; and older ones that are still to be missed. */
  occasions(from: number, until: number): O[]
  due(occasions: O[]): Promise<void>
  missed(occasions: O[]): void
  /** Each happens once for its local date, whatever the clock does. */
  isOnce: boolean
  /** Keeps still while the adhan sounds and comes after it. */
  waitsForAdhan: boolean
  /** By now its time is another one: it comes then, and not when the adhan is over. */
  hasMoved?(occasion: O): boolean
  /** Each is a sound of its own: of two in one minute the second follows the first. */
  isOneByOne: boolean
}

export type TimekeeperDeps = {
  clock: Clock
  wall: WallClock
  fired: FiredStore
  log: Pick<Logger, 'error'>
  /** In order of precedence. */
  agendas: Agenda[]
  /** The local date of a moment. */
  dateOf(epochMs: number): string
  isAdhanSounding(): boolean
}

// A jump of the clock that nobody reports is noticed within this time.
const LONGEST_NAP_MS = 30_000
const LOOK_BACK_MS = 36 * 3_600_000
const LOOK_AHEAD_MS = 36 * 3_600_000
const RENEW_AFTER_MS = 6 * 3_600_000
// An adhan takes four minutes; one that was paused for longer must not bring a late surprise.
const LONGEST_WAIT_MS = 15 * 60_000
// Every schedule comes within a week; a day more is for a clock that changes meanwhile.
const WAKE_AHEAD_MS = 8 * 86_400_000

type Planned = { agenda: Agenda; occasion: Occasion }
type Plan = { renewAt: number; entries: Planned[] }

/** Wakes at the next occasion, looks what is due, and sleeps again. */
export function createTimekeeper(deps: TimekeeperDeps) {
  const { clock, wall, fired } = deps
  let plan: Plan | undefined
  let lastLook: number | undefined
  let waiting: Planned[] = []
  const underWay = new Set<Occasion>()
  let endNap = () => {}
  let endChanges = () => {}
  let isRunning = false
  /** An adhan does not wait for what a schedule does; what waits for the adhan begins after it has. */
  const first = createQueue()
  const later = createQueue()

  function makePlan(now: number): Plan {
    fired.forgetFuture(now, deps.dateOf)
    const entries = deps.agendas
      .flatMap((agenda) => occasionsOf(agenda, now).map((occasion) => ({ agenda, occasion })))
      .sort((a, b) => a.occasion.at - b.occasion.at)
    return { renewAt: now + RENEW_AFTER_MS, entries }
  }

  /** An agenda that fails must not take the others with it: the adhan least of all. */
  function occasionsOf(agenda: Agenda, now: number): Occasion[] {
    try {
      return agenda.occasions(now - LOOK_BACK_MS, now + LOOK_AHEAD_MS)
    } catch (error) {
      deps.log.error({ err: error }, 'an agenda could not be planned')
      return []
    }
  }

  function look() {
    endNap()
    if (!isRunning) return
    if (!wall.isTrusted()) {
      plan = undefined
      lastLook = undefined
      return nap(LONGEST_NAP_MS)
    }
    const now = wall.now()
    const wentBack = lastLook !== undefined && now < lastLook
    if (!plan || wentBack || now >= plan.renewAt) plan = makePlan(now)
    const past = passed(plan, now)
    for (const agenda of past.length > 0 ? deps.agendas : []) consider(agenda, past, now)
    lastLook = now
    const next = plan.entries[0]?.occasion.at ?? Number.POSITIVE_INFINITY
    nap(Math.min(next - now, LONGEST_NAP_MS))
  }

  function consider(agenda: Agenda, past: Planned[], now: number) {
    const own = past.filter((entry) => entry.agenda === agenda).map(({ occasion }) => occasion)
    const { due, missed } = judge(own, {
      now,
      lastLook,
      isSettled: (occasion) => agenda.isOnce && (fired.has(occasion) || isUnderWay(occasion)),
    })
    if (missed.length > 0) tellMissed(agenda, missed)
    if (due.length === 0) return
    const turns = agenda.isOneByOne ? due.map((occasion) => [occasion]) : [due]
    for (const turn of turns) begin(agenda, turn, turn !== turns[0])
  }

  /** Whoever cannot write it down must not keep the ticker from going on. */
  function tellMissed(agenda: Agenda, missed: Occasion[]) {
    try {
      agenda.missed(missed)
    } catch (error) {
      deps.log.error({ err: error }, 'what was missed could not be told')
    }
  }

  /** Planned anew it is still the same. */
  const isUnderWay = ({ key, date }: Occasion) =>
    [...underWay].some((occasion) => occasion.key === key && occasion.date === date)

  /** What follows another waits for that as well. */
  function begin(agenda: Agenda, due: Occasion[], follows = false) {
    for (const occasion of due) underWay.add(occasion)
    const waits = agenda.waitsForAdhan || follows
    const done = agenda.waitsForAdhan
      ? later.run(() => first.idle().then(() => carryOut(agenda, due, waits)))
      : first.run(() => carryOut(agenda, due, waits))
    done.catch((error) => deps.log.error({ err: error }, 'an occasion failed'))
  }

  async function carryOut(agenda: Agenda, begun: Occasion[], waits: boolean) {
    // The others were forgotten while they had to wait.
    const due = begun.filter((occasion) => underWay.has(occasion))
    if (due.length === 0) return
    if (waits && deps.isAdhanSounding()) {
      waiting.push(...due.map((occasion) => ({ agenda, occasion })))
      return
    }
    try {
      // Before it happens: a power cut in between loses one, which is better than repeating it.
      if (agenda.isOnce) for (const occasion of due) fired.mark(occasion)
    } finally {
      for (const occasion of due) underWay.delete(occasion)
    }
    await agenda.due(due)
  }

  /** Resolves when what was due until now has been done. */
  async function settled() {
    await later.idle()
    await first.idle()
  }

  function giveUp(agenda: Agenda, occasion: Occasion) {
    underWay.delete(occasion)
    tellMissed(agenda, [occasion])
  }

  function nap(ms: number) {
    endNap = clock.after(Math.max(0, ms), look)
  }

  return {
    start() {
      isRunning = true
      endChanges = wall.onChange(look)
      look()
    },

    /** Times, the zone or the agendas have changed. */
    replan() {
      plan = undefined
      look()
    },

    /** A new time makes it a new thing: it may happen once more, and what waits at its old time does not. */
    forget(key: string) {
      fired.forget(key)
      for (const occasion of underWay) if (occasion.key === key) underWay.delete(occasion)
      waiting = waiting.filter(({ occasion }) => underWay.has(occasion))
    },

    /** What kept still during the adhan has its turn, unless that took too long. */
    adhanOver() {
      const held = waiting
      waiting = []
      for (const { agenda, occasion } of held) {
        if (agenda.hasMoved?.(occasion)) underWay.delete(occasion)
        else if (wall.now() - occasion.at <= LONGEST_WAIT_MS) begin(agenda, [occasion], true)
        else giveUp(agenda, occasion)
      }
    },

    /** When the box has to be awake next. */
    nextWake(): number | undefined {
      if (!wall.isTrusted()) return undefined
      const now = wall.now()
      const moments = deps.agendas
        .filter(({ isOnce }) => isOnce)
        .flatMap((agenda) => agenda.occasions(now, now + WAKE_AHEAD_MS))
        .filter((occasion) => occasion.at > now && !fired.has(occasion))
        .map(({ at }) => at)
      return moments.length > 0 ? Math.min(...moments) : undefined
    },

    settled,

    async stop() {
      isRunning = false
      endNap()
      endChanges()
      await settled()
    },
  }
}

/** Takes what lies behind out of the plan. */
function passed({ entries }: Plan, now: number): Planned[] {
  const ahead = entries.findIndex(({ occasion }) => occasion.at > now)
  return entries.splice(0, ahead < 0 ? entries.length : ahead)
}
