import type { Machine } from './domain/state.ts'
import type { Track } from './domain/track.ts'

/** A file is looked at before it begins; of a station nothing is known until it has once sounded. */
export function createFirstSound() {
  let heard: Track | undefined
  /** A station of the queue, and what it followed. */
  let queued: { track: Track; before: Machine } | undefined

  const isKnown = (track: Track) => track.kind === 'file' || track === heard

  return {
    isKnown,

    /** It sounds. */
    of(track: Track) {
      heard = track
    },

    /** It is about to begin by itself, after what was before. */
    fromQueue(track: Track, before: Machine) {
      queued = { track, before }
    },

    /** Where a station of the queue leaves playback that is not there: at the end of what it followed. */
    without(machine: Machine): Machine | undefined {
      const { track, state, adhan, advance } = machine
      const before = track && queued?.track === track ? queued.before : undefined
      // Somebody who has paused it does not want to hear the next.
      if (!track || !before || isKnown(track) || state !== 'buffering' || adhan) return undefined
      queued = undefined
      const followed = before.track && isKnown(before.track) ? before.track : track
      const { repeat_done } = advance === before.advance ? before : machine
      return { ...machine, state: 'playing', track: followed, repeat_done }
    },
  }
}
