/** Something that plays or has played. `surah_number` is 0 for a file that is no surah. */
export type FileTrack = { kind: 'file'; path: string; reciter: string; surah_number: number }
type StreamTrack = { kind: 'stream'; url: string; station: string }
export type Track = FileTrack | StreamTrack

/** The surahs of a reciter that are on the card right now. */
export type Shelf = (reciter: string, surah: number) => FileTrack | undefined

const FIRST = 1
const LAST = 114

/** What next and prev can count from. */
export const lastFile = (track: Track | undefined) => (track?.kind === 'file' ? track : null)

/** The nearest surah after `surah`, up to `last`, that is on the card. */
export function surahAfter(shelf: Shelf, reciter: string, surah: number, last = LAST) {
  for (let number = surah + 1; number <= last; number += 1) {
    const track = shelf(reciter, number)
    if (track) return track
  }
  return undefined
}

/** The nearest surah before `surah` that is on the card. */
export function surahBefore(shelf: Shelf, reciter: string, surah: number) {
  for (let number = surah - 1; number >= FIRST; number -= 1) {
    const track = shelf(reciter, number)
    if (track) return track
  }
  return undefined
}
