import type { KnownVerse, SurahVerses, VersesOf } from '@manara/player-contract/verses'
import { step } from './domain/machine.ts'
import type { Command, Machine, Report, Step } from './domain/state.ts'
import { type FileTrack, type Shelf, startOf, type Track } from './domain/track.ts'
import { aroundStart, verseAt } from './domain/verse-clips.ts'
import type { Haste } from './haste.ts'

export type VerseBook = ReturnType<typeof createVerseBook>

/** The verses of the recording that is on, looked up once and again when they may have changed. */
export function createVerseBook(versesOf: VersesOf, { givingWay }: Pick<Haste, 'givingWay'>) {
  let open: { reciter: string; surah: number; verses: SurahVerses } | undefined
  let lookups = 0

  const isOpenAt = (track: Track) =>
    track.kind === 'file' && open?.reciter === track.reciter && open.surah === track.surah_number

  /** Answers whether it had to look. */
  async function learn(track: Track | null): Promise<boolean> {
    if (track?.kind !== 'file' || track.surah_number === 0 || isOpenAt(track)) return false
    // Where it is not waited for, it is looked up all the same.
    await givingWay(lookUp(track)).catch(() => {})
    return true
  }

  async function lookUp({ reciter, surah_number: surah }: FileTrack) {
    const mine = ++lookups
    const verses = await versesOf(reciter, surah).catch((error: Error) => ({
      verses: null,
      reason: error.message,
    }))
    // Somebody may have asked for another since.
    if (mine === lookups) open = { reciter, surah, verses }
  }

  const of = (track: Track): SurahVerses =>
    open && isOpenAt(track) ? open.verses : { verses: null, reason: '' }

  const at = (track: Track, position_ms: number): KnownVerse | undefined =>
    track.kind === 'file' ? verseAt(track, of(track).verses ?? [], position_ms) : undefined

  return {
    of,
    at,
    learn,

    /** Where a drill goes on from after a power cut: the beginning of the verse that was heard. */
    returnTo(track: Track, position_ms: number): number {
      const heard = track.kind === 'file' && track.verses ? at(track, position_ms) : undefined
      return heard ? Math.max(startOf(track), aroundStart(heard)) : position_ms
    },

    /** A drill needs the verses of what it is about before anything can be decided. */
    async decide(machine: Machine, happening: Command | Report, shelf: Shelf): Promise<Step> {
      if (!needsVerses(machine, happening)) return step(machine, happening, shelf, of)
      await learn(happening.type === 'play' ? happening.track : machine.track)
      const decided = step(machine, happening, shelf, of)
      const loaded = decided.effects.find((effect) => effect.do === 'load')?.track
      if (loaded?.kind !== 'file' || isOpenAt(loaded)) return decided
      await learn(loaded)
      return step(machine, happening, shelf, of)
    },

    forget() {
      lookups += 1
      open = undefined
    },
  }
}

function needsVerses({ advance }: Machine, happening: Command | Report): boolean {
  if (happening.type === 'seek-verse' || happening.type === 'ended') return true
  if (happening.type === 'mode') return happening.body.mode === 'hifz_verses'
  const chosen = happening.type === 'play' ? happening.mode?.mode : undefined
  return (chosen ?? advance.mode) === 'hifz_verses'
}
