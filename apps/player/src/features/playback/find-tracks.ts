import { invalid } from '@manara/kit/errors'
import { quranPart } from '@manara/player-contract/quran-parts'
import type { Target } from '@manara/player-contract/target'
import type { Track } from './domain/track.ts'
import type { Tracks } from './find-track.ts'

export type FindTracksDeps = {
  tracks: Tracks
  /** Undefined when it has been removed. */
  favorite(id: number): Target | undefined
}

export type Found = { tracks: Track[]; note?: string }

/** The tracks that a target stands for, in order; a 400 that names the field where there are none. */
export async function findTracks(deps: FindTracksDeps, target: Target): Promise<Found> {
  const { tracks } = deps
  switch (target.type) {
    case 'surah':
      return { tracks: [await tracks.surah(target.reciter ?? '', target.surah ?? 0)] }
    case 'path':
      return { tracks: [await tracks.file(target.path ?? '')] }
    case 'stream':
      return { tracks: [tracks.stream(target.url ?? '', target.name)] }
    case 'favorite': {
      const favorite = deps.favorite(target.id ?? 0)
      if (!favorite) throw invalid('id', `there is no favorite ${target.id}`)
      return findTracks(deps, favorite)
    }
    case 'juz':
    case 'hizb':
      return ofPart(tracks, target.type, target.reciter ?? '', target[target.type] ?? 0)
    default:
      throw invalid('type', `${target.type} plays nothing`)
  }
}

/** Files are whole surahs, so a part is every surah that it touches. */
function ofPart(tracks: Tracks, kind: 'juz' | 'hizb', reciter: string, number: number): Found {
  const { from, to, surahs } = quranPart(kind, number)
  const found = surahs.flatMap((surah) => tracks.onShelf(reciter, surah) ?? [])
  if (found.length === 0)
    throw invalid(kind, `no surah of ${kind} ${number} by ${reciter} is on the card`)
  const missing = surahs.filter((surah) => !tracks.onShelf(reciter, surah))
  const span = `${kind} ${number} is ${from.surah}:${from.ayah} to ${to.surah}:${to.ayah}`
  const gone = missing.length > 0 ? `; surah ${missing.join(', ')} is not on the card` : ''
  return { tracks: found, note: `${span}; the surahs it touches play whole${gone}` }
}
