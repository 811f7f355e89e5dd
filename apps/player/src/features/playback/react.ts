import type { AudioEvent } from '../../ports/audio-output.ts'
import { phaseAfter } from './announcement.ts'
import { givesWay } from './domain/advance.ts'
import type { Adhan, Command, Report } from './domain/state.ts'
import type { Shelf, Track } from './domain/track.ts'
import type { PlayerDeps } from './player-deps.ts'
import { createPassing, failedPath, verseFile } from './refusal.ts'
import type { Stage } from './stage.ts'

/** What follows by itself: at the end of a track or a silence, and when something goes wrong. */
export function createReactions(stage: Stage, deps: PlayerDeps) {
  const { book, firstSound } = stage

  /** A file that cannot be played counts as one that is not there. */
  async function react(reported: Report): Promise<void> {
    const { shelf, pass } = createPassing(deps.shelf)
    const report = leaveOut(reported)
    if (report.type === 'ended') await book.learn(stage.machine().track)
    for (;;) {
      const before = stage.machine()
      const queued = nextInQueue(report, shelf)
      const happening: Command | Report = queued
        ? { type: 'play', track: queued, position_ms: 0, repeat_done: 0 }
        : report
      if (queued) firstSound.fromQueue(queued, before)
      const decided = await book.decide(before, happening, shelf)
      try {
        await stage.perform(decided)
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
        const path = failedPath(decided)
        deps.log.warn({ err: error, path }, 'a track could not be played')
        if (queued) {
          deps.queue.take()
          continue
        }
        if (!pass(path)) return stage.fail(error)
        const verse = verseFile(before.track, decided)
        if (verse) stage.become({ ...before, track: verse })
      }
    }
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
