import { type AudioEvent, NoDevice } from '../../ports/audio-output.ts'
import { phaseAfter } from './announcement.ts'
import { givesWay } from './domain/advance.ts'
import type { Adhan, Command, Machine, Report, Step } from './domain/state.ts'
import type { Shelf, Track } from './domain/track.ts'
import type { PlayerDeps } from './player-deps.ts'
import { createPassing, failedPath, verseFile } from './refusal.ts'
import type { Stage } from './stage.ts'

/** As long as the engines wait for a device that goes away while something plays. */
const RETRY_MS = 1_000
const RETRIES = 60

/** For a device: how it was left meanwhile, and how often it has been tried again. */
type Wait = { silent: Machine; tries: number }

/** What follows by itself: at the end of a track or a silence, and when something goes wrong. */
export function createReactions(stage: Stage, deps: PlayerDeps) {
  const { book, firstSound } = stage
  let waiting: Machine | undefined
  let endWait = () => {}

  async function react(reported: Report): Promise<void> {
    const report = leaveOut(reported)
    if (report.type === 'ended') await book.learn(stage.machine().track)
    await follow(report)
  }

  /** A file that cannot be played counts as one that is not there; without a device none can. */
  async function follow(report: Report, wait?: Wait): Promise<void> {
    const { shelf, pass, isInTime } = createPassing(deps.shelf, deps.clock, stage.haste)
    for (;;) {
      const before = stage.machine()
      const queued = nextInQueue(report, shelf)
      const happening: Command | Report = queued
        ? { type: 'play', track: queued, position_ms: 0, repeat_done: 0 }
        : report
      if (queued) firstSound.fromQueue(queued, before)
      const decided = await book.decide(before, happening, shelf)
      try {
        await stage.perform(decided, queued !== undefined)
        const reached = stage.machine()
        if (queued) deps.queue.take()
        if (reached.state === 'stopped' && before.track) afterTheEnd(report, before.track)
        if (decided.effects.length > 0 || reached !== before) stage.tell()
        if (before.adhan) tellAnnouncement(before.adhan, report)
        return
      } catch (error) {
        if (before.adhan?.after) {
          deps.log.warn({ err: error, path: before.adhan.after.path }, 'no dua after the adhan')
          stage.become({ ...before, adhan: { ...before.adhan, after: null } })
          continue
        }
        if (error instanceof NoDevice) return awaitDevice(error, before, report, wait)
        const path = failedPath(decided)
        deps.log.warn({ err: error, path }, 'a track could not be played')
        if (queued) deps.queue.take()
        if (path && stage.haste.isPressing()) return putOff(decided)
        if (queued && isInTime()) continue
        if (queued || !pass(path)) return stage.fail(error)
        const verse = verseFile(before.track, decided)
        if (verse) stage.become({ ...before, track: verse })
      }
    }
  }

  /** The call to prayer that comes next interrupts it as if it had begun. */
  function putOff({ next }: Step) {
    // After another adhan its place is known already.
    if (!stage.machine().adhan) stage.become(next)
  }

  /** The queue, the place and the count stay; what would have followed is tried again for a while. */
  function awaitDevice(error: NoDevice, before: Machine, report: Report, wait?: Wait) {
    if (wait) stage.become(wait.silent)
    else {
      deps.log.warn({ err: error }, 'nothing can be played')
      stage.fail(error)
    }
    const { silent, tries } = wait ?? { silent: stage.machine(), tries: 0 }
    if (tries === RETRIES) return
    waiting = silent
    endWait = deps.clock.after(RETRY_MS, () =>
      stage.byItself(async () => {
        if (waiting !== silent || stage.machine() !== silent) return
        stage.become(before)
        await follow(report, { silent, tries: tries + 1 })
      }),
    )
  }

  /** A station of the queue that is not there is left out, as a file would be: what it followed has ended. */
  function leaveOut(report: Report): Report {
    if (report.type !== 'ended' || report.reason === 'eof') return report
    const station = stage.machine().track
    const without = firstSound.without(stage.machine())
    // Nothing to go on with: then it is told why.
    if (!without || (without.track === station && !deps.queue.next())) return report
    deps.log.warn({ err: report.error }, 'a station of the queue could not be played')
    stage.become(without)
    return { ...report, reason: 'eof' }
  }

  function nextInQueue(report: Report, shelf: Shelf): Track | undefined {
    const { track, gap, adhan, advance, repeat_done, speed } = stage.machine()
    const isAtEnd = report.type === 'ended' && report.reason === 'eof'
    if (!isAtEnd || !track || gap || adhan) return undefined
    const around = { shelf, book: book.of, speed }
    return givesWay(advance, track, repeat_done, around) ? deps.queue.next() : undefined
  }

  function tellAnnouncement({ kind, prayer, after }: Adhan, report: Report) {
    const { adhan } = stage.machine()
    if (!adhan) deps.onAnnouncement(kind, prayer, phaseAfter(report))
    else if (after && adhan.isAfter) deps.onAnnouncement(kind, prayer, 'dua')
  }

  /** A surah heard to its end leaves nothing to resume; one that was lost leaves its last place. */
  function afterTheEnd(report: Report, track: Track) {
    if (!firstSound.isKnown(track)) return
    if (report.type !== 'ended' || report.reason !== 'eof') return
    try {
      deps.resume.clear()
    } catch (error) {
      deps.log.warn({ err: error }, 'the position could not be let go')
    }
  }

  return {
    react,

    /** Somebody wants something else, or nothing. */
    stopWaiting() {
      waiting = undefined
      endWait()
    },

    async hear(event: AudioEvent): Promise<void> {
      switch (event.type) {
        case 'ended':
          return react({ ...event, error: event.error ?? '' })
        case 'state':
          if (event.state !== 'playing' && event.state !== 'buffering') return
          await react({ type: 'engine', state: event.state })
          if (event.state === 'playing') stage.sounds()
          return
        case 'metadata':
          return stage.tellTitle(event.title)
        case 'underrun':
          return stage.tell()
      }
    },
  }
}
