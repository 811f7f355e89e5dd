import { AppError } from '@manara/kit/errors'
import { type AdhanFile, type Announcement, firstThatSounds } from './announcement.ts'
import { step } from './domain/machine.ts'
import type { Report } from './domain/state.ts'
import { endGap, halt } from './domain/steps.ts'
import { startOf } from './domain/track.ts'
import type { PlayerDeps } from './player-deps.ts'
import type { Stage } from './stage.ts'

/** The adhan and what is said like it: it interrupts what plays, which goes on after it. */
export function createAnnouncing(
  stage: Stage,
  deps: PlayerDeps,
  react: (report: Report) => Promise<void>,
) {
  const { audio } = deps
  const { device, haste, volume, status, tell, inTurn, machine } = stage
  let calls = 0
  let looking: Promise<unknown> = Promise.resolve()

  /** Silences what sounds; where it is to go on. What came to its end meanwhile goes on from before that. */
  async function heldPlace(): Promise<number> {
    const before = audio.snapshot()
    await device.hush(deps.fades().down_ms)
    const { state, position_ms } = audio.snapshot()
    const { track } = machine()
    // What was about to begin has no place yet.
    return Math.max(
      state === 'stopped' ? before.position_ms : position_ms,
      track ? startOf(track) : 0,
    )
  }

  /** What follows may come from a disk that is slow: it is looked for while the call to prayer sounds. */
  function followWith(found: Promise<AdhanFile | undefined> | undefined) {
    calls += 1
    const call = calls
    looking = Promise.resolve(found).then((after) =>
      inTurn(() => {
        const { adhan } = machine()
        if (after && adhan && call === calls)
          stage.become({ ...machine(), adhan: { ...adhan, after } })
      }),
    )
  }

  return {
    /**
     * Interrupts whatever plays. Tells what sounds, undefined where it yielded, and why the files before
     * it did not; when none could be played, goes on with what was interrupted and rejects.
     */
    announce({ kind, prayer, volume: loudness, files, after, yields }: Announcement) {
      const itsTurn = kind === 'reminder' ? () => {} : haste.hurry()
      return inTurn(async () => {
        itsTurn()
        const replaced = machine().adhan
        if (yields && replaced?.kind === 'adhan') return { path: undefined, problems: [] }
        const place_ms = await heldPlace()
        const announced = { kind, prayer, place_ms, after: null, isLent: loudness > 0 }
        const called = { ...announced, type: 'adhan' as const, volume: volume.lent(loudness) }
        const sound = (file: AdhanFile) =>
          stage.perform(step(machine(), { ...called, ...file }, deps.shelf))
        const sounded = await firstThatSounds(files, sound)
        if (sounded.path === undefined) {
          const silent = { ...announced, path: '', isPaused: false, isAfter: false }
          stage.become({ ...machine(), adhan: replaced ?? silent })
          await react({ type: 'adhan-over' })
          throw new AppError(500, `the adhan cannot be played: ${sounded.problems.join('; ')}`)
        }
        followWith(after)
        tell()
        if (replaced) deps.onAnnouncement(replaced.kind, replaced.prayer, 'stopped')
        deps.onAnnouncement(kind, prayer, 'started')
        return sounded
      })
    },

    /** Resolves when what follows the last call to prayer has been looked for. */
    looked: () => looking,

    isAnnouncing: () => machine().adhan !== null,

    /** What it interrupted does not go on after it; its place stays. False where nothing is announced. */
    dropInterrupted: () =>
      inTurn(async () => {
        const before = machine()
        if (!before.adhan) return false
        stage.place.keep(before, false)
        await stage.perform({ next: halt(before, null).next, effects: endGap(before) })
        tell()
        return true
      }),

    /** Ends the adhan and goes on with what it interrupted. */
    stopAdhan: () =>
      inTurn(async () => {
        await react({ type: 'adhan-over' })
        return status()
      }),
  }
}
