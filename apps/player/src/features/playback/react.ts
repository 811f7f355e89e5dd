import type { AudioEvent } from '../../ports/audio-output.ts'
import { phaseAfter } from './announcement.ts'
import { givesWay } from './domain/advance.ts'
import type { Adhan, Command, Report } from './domain/state.ts'
import type { Shelf, Track } from './domain/track.ts'
import type { PlayerDeps } from './player-deps.ts'
import { failedPath } from './refusal.ts'
import type { Stage } from './stage.ts'

/** What follows by itself: at the end of a track or a silence, and when something goes wrong. */
export function createReactions(stage: Stage, deps: PlayerDeps) {
  const { book } = stage

  /** A file that cannot be played counts as one that is not there. */
  async function react(report: Report): Promise<void> {
    const unplayable = new Set<string>()
    const shelf = (reciter: string, surah: number) => {
      const track = deps.shelf(reciter, surah)
      return track && !unplayable.has(track.path) ? track : undefined
    }
    if (report.type === 'ended') await book.learn(stage.machine().track)
    for (;;) {
      const before = stage.machine()
      const queued = nextInQueue(report, shelf)
      const happening: Command | Report = queued
        ? { type: 'play', track: queued, position_ms: 0, repeat_done: 0 }
        : report
      const decided = await book.decide(before, happening, shelf)
      try {
        await stage.perform(decided)
        const reached = stage.machine()
        if (queued) deps.queue.take()
        if (reached.state === 'stopped' && before.track) afterTheEnd(report)
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
        if (path && !unplayable.has(path)) {
          unplayable.add(path)
          continue
        }
        return stage.fail(error)
      }
    }
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
  function afterTheEnd(report: Report) {
    if (report.type === 'ended' && report.reason === 'eof') deps.resume.clear()
  }

  return {
    react,

    async hear(event: AudioEvent): Promise<void> {
      switch (event.type) {
        case 'ended':
          return react({ ...event, error: event.error ?? '' })
        case 'state':
          if (event.state !== 'playing' && event.state !== 'buffering') return
          return react({ type: 'engine', state: event.state })
        case 'metadata':
          return stage.tellTitle(event.title)
        case 'underrun':
          return stage.tell()
      }
    },
  }
}
