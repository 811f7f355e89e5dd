import { AppError, invalid } from '@manara/kit/errors'
import type { Clock } from '../../ports/clock.ts'
import type { Command, Step } from './domain/state.ts'
import type { FileTrack, Shelf, Track } from './domain/track.ts'
import type { Haste } from './haste.ts'

/** The card file that a step wanted to load. */
export const failedPath = ({ effects }: Step) => {
  const load = effects.find((effect) => effect.do === 'load')
  return load?.track.kind === 'file' ? load.track.path : undefined
}

/** Of a surah that goes on from one verse file to the next, the one that a step wanted to load. */
export function verseFile(before: Track | null, { effects }: Step): FileTrack | undefined {
  const track = effects.find((effect) => effect.do === 'load')?.track
  if (before?.kind !== 'file' || track?.kind !== 'file' || track.clip || track.verses) return
  const isSameSurah = before.surah_number === track.surah_number && before.reciter === track.reciter
  return isSameSurah && before.path !== track.path ? track : undefined
}

/** A worn card takes its time to say that it cannot be read, and the adhan waits for its turn meanwhile. */
const PASSING_MS = 20_000

/** The card without the files that have turned out not to play. */
export function createPassing(
  onCard: Shelf,
  { monotonic }: Pick<Clock, 'monotonic'>,
  { isPressing }: Pick<Haste, 'isPressing'>,
) {
  const begun = monotonic()
  const unplayable = new Set<string>()
  const isInTime = () => monotonic() - begun < PASSING_MS && !isPressing()
  const shelf: Shelf = (reciter, surah) => {
    const track = onCard(reciter, surah)
    return track && !unplayable.has(track.path) ? track : undefined
  }

  return {
    shelf,
    /** Whether others may still be tried. */
    isInTime,
    /** False when nothing is won by it. */
    pass(path: string | undefined): boolean {
      if (!path || unplayable.has(path) || !isInTime()) return false
      unplayable.add(path)
      return true
    },
  }
}

/** What a person is told when the device has refused their command. */
export function refusal(wanted: Command, error: unknown): AppError {
  const why = `cannot be played: ${(error as Error).message}`
  if (wanted.type !== 'play') return new AppError(500, `${wanted.type}: ${why}`, { cause: error })
  return invalid(wanted.track.kind === 'file' ? 'path' : 'url', why)
}
