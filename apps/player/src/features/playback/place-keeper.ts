import type { Logger } from '@manara/kit/logging'
import type { AudioOutput } from '../../ports/audio-output.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Machine } from './domain/state.ts'
import { startOf, type Track } from './domain/track.ts'
import type { ResumePoint, ResumeStore } from './resume.store.ts'

type PlaceKeeperDeps = {
  audio: Pick<AudioOutput, 'snapshot'>
  clock: Clock
  resume: ResumeStore
  log: Pick<Logger, 'warn'>
  /** Of a place in a track, the one that it is to go on from after a power cut. */
  returnTo(track: Track, position_ms: number): number
  /** Whether it can be gone back to, as far as anybody knows. */
  isKnown(track: Track): boolean
}

// A power cut may lose 10 s at most; the second below leaves room for the tick itself.
const SAVE_EVERY_MS = 9_000

/** Writes down where playback is, so that it can go on there. */
export function createPlaceKeeper(deps: PlaceKeeperDeps) {
  const { audio, clock, resume, log, returnTo } = deps
  let savedAt = 0

  function save(place: ResumePoint) {
    try {
      resume.save(place)
    } catch (error) {
      // A full disk must not stop the recitation.
      log.warn({ err: error }, 'the position could not be kept')
    }
  }

  /** It stays the place, but is not to go on by itself any more. */
  function rest() {
    const place = resume.read()
    if (place?.playing) save({ ...place, playing: false })
  }

  return {
    rest,
    isStale: () => clock.monotonic() - savedAt >= SAVE_EVERY_MS,

    keep({ track, gap, repeat_done, adhan }: Machine, playing: boolean) {
      const heard = audio.snapshot()
      // An engine that has ended by itself no longer knows the place: the last one kept stands.
      if (!track || (!gap && !adhan && heard.state === 'stopped')) return
      // A station that never sounded is no place to go on from, and what was left for it is over.
      if (!deps.isKnown(track)) return playing ? undefined : rest()
      savedAt = clock.monotonic()
      const position_ms = adhan ? adhan.place_ms : heard.position_ms
      const place = gap
        ? { track: gap.upcoming, position_ms: startOf(gap.upcoming) }
        : { track, position_ms: track.kind === 'file' ? returnTo(track, position_ms) : 0 }
      save({ ...place, repeat_done, playing })
    },
  }
}
