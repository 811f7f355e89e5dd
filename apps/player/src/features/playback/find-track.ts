import { invalid } from '@manara/kit/errors'
import type { VersesOf } from '@manara/player-contract/verses'
import type { FileTrack, Track } from './domain/track.ts'

export type TrackDeps = {
  /** The absolute path of a file on the card; throws 400 naming `path`. */
  resolve(path: string): Promise<string>
  /** Which surah of which reciter a file is; undefined when it is none. */
  locate(path: string): { reciter: string; surah_number: number } | undefined
  /** The file of a surah, relative to the card. */
  find(reciter: string, surah: number): string | undefined
  versesOf: VersesOf
  /** The name that a saved station has. */
  stationName(url: string): string | undefined
}

export type Tracks = ReturnType<typeof createTracks>

/** What a client, a card or a schedule names becomes a track, or a 400 that names the field. */
export function createTracks(deps: TrackDeps) {
  async function file(path: string): Promise<Track> {
    await deps.resolve(path)
    const { reciter = '', surah_number = 0 } = deps.locate(path) ?? {}
    return { kind: 'file', path, reciter, surah_number }
  }

  return {
    file,

    async surah(reciter: string, surah: number): Promise<Track> {
      // A surah of which every verse is a file begins with the first of them.
      const path =
        deps.find(reciter, surah) ?? (await deps.versesOf(reciter, surah)).verses?.[0]?.path
      if (path === undefined) throw invalid('surah', `${surah} of ${reciter} is not on the card`)
      await deps.resolve(path)
      const name = deps.locate(path)?.reciter ?? reciter
      return { kind: 'file', path, reciter: name, surah_number: surah }
    },

    stream: (url: string, name = ''): Track => ({
      kind: 'stream',
      url,
      station: deps.stationName(url) ?? name,
    }),

    /** A surah that is on the card right now. */
    onShelf(reciter: string, surah_number: number): FileTrack | undefined {
      const path = deps.find(reciter, surah_number)
      return path === undefined ? undefined : { kind: 'file', path, reciter, surah_number }
    },
  }
}
