import { countsOf } from '@manara/player-contract/verse-counts'
import { extensionOf } from '../../domain/surah-file.ts'

/** The verse that a file of this name (without its folder) recites, if it says so itself. */
export function verseNamed(fileName: string): { surah: number; verse: number } | undefined {
  const stem = fileName.slice(0, -extensionOf(fileName).length - 1)
  const found = /^(\d{3})(\d{3})$/.exec(stem) ?? /^(\d{1,3})_(\d{1,3})$/.exec(stem)
  if (!found) return undefined
  const [surah, verse] = [Number(found[1]), Number(found[2])]
  return surah >= 1 && surah <= 114 ? { surah, verse } : undefined
}

/** A folder that is named after a surah: `67`, `067`. */
export function surahFolder(name: string): number | undefined {
  const surah = /^\d{1,3}$/.test(name) ? Number(name) : 0
  return surah >= 1 && surah <= 114 ? surah : undefined
}

/** The verse of `012.mp3` in a folder of one surah. */
export function verseInFolder(fileName: string): number | undefined {
  const stem = fileName.slice(0, -extensionOf(fileName).length - 1)
  return /^\d{1,3}$/.test(stem) ? Number(stem) : undefined
}

/** Verse -> file, of those that the engine plays; where two hold one verse, the preferred kind. */
export function chooseVerseFiles(
  files: readonly { path: string; verse: number }[],
  playable: readonly string[],
): Map<number, string> {
  const rank = (path: string) =>
    playable.indexOf(extensionOf(path.slice(path.lastIndexOf('/') + 1)))
  const chosen = new Map<number, string>()
  for (const { path, verse } of files) {
    const rival = chosen.get(verse)
    if (rank(path) < 0 || verse < 1) continue
    if (rival === undefined || rank(path) < rank(rival)) chosen.set(verse, path)
  }
  return chosen
}

/** Which verse of the surah has no file; undefined when all are there in one of the known counts. */
export function whyNotComplete(
  surah: number,
  files: ReadonlyMap<number, string>,
): string | undefined {
  const counts = countsOf(surah)
  if (counts.includes(files.size) && files.has(files.size)) return undefined
  const [most = 0] = counts
  const missing = Array.from({ length: most }, (_, index) => index + 1).find(
    (verse) => !files.has(verse),
  )
  if (missing !== undefined) return `the file of verse ${missing} is missing`
  return `there are files of ${files.size} verses, surah ${surah} has ${counts.join(' or ')}`
}

/** Surah -> the file of its first verse, of those whose every verse is a file: `067001.mp3`. */
export function surahsInVerses(
  fileNames: readonly string[],
  playable: readonly string[],
): Map<number, string> {
  const named = fileNames.flatMap((path) => {
    const place = verseNamed(path)
    return place ? [{ path, ...place }] : []
  })
  const whole = new Map<number, string>()
  for (const [surah, files] of Map.groupBy(named, (file) => file.surah)) {
    const verses = chooseVerseFiles(files, playable)
    const first = verses.get(1)
    if (first !== undefined && whyNotComplete(surah, verses) === undefined) whole.set(surah, first)
  }
  return whole
}

/** Whether what stands for a surah in a reciter's folder is the first of its verses. */
export const isFirstVerse = (file: string) => file.includes('/') || verseNamed(file) !== undefined

/** A folder `67` with `001.mp3` to `030.mp3` is one surah in verses, and not a reciter of 30 surahs. */
export function holdsVerses(folderName: string, numbered: ReadonlyMap<number, unknown>): boolean {
  const surah = surahFolder(folderName)
  if (surah === undefined || !countsOf(surah).includes(numbered.size)) return false
  return numbered.has(1) && numbered.has(numbered.size)
}
