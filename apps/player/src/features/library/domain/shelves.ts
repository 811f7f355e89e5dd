import { holdsVerses, surahFolder } from '../verses/domain/verse-file.ts'
import { placeOf } from './card-folder.ts'
import type { KnownFolder } from './known-folder.ts'

type Surahs = ReadonlyMap<number, string>

/**
 * What each folder has to play: whole surahs, and those of which every verse is a file, be it in the
 * reciter's folder (`067001.mp3`) or in one of the surah (`67/001.mp3`).
 */
export function shelvesOf(
  folders: ReadonlyMap<string, Pick<KnownFolder, 'surahs' | 'inVerses'>>,
): Map<string, Surahs> {
  const whole = new Map<string, Surahs>()
  const inVerses = new Map<string, Map<number, string>>()
  const put = (path: string, surah: number, file: string) => {
    const shelf = inVerses.get(path) ?? new Map<number, string>()
    inVerses.set(path, shelf.set(surah, file))
  }
  for (const [path, folder] of folders) {
    const [parent, name] = placeOf(path)
    const surah = surahFolder(name)
    const isVerses = holdsVerses(name, folder.surahs)
    const first = isVerses ? folder.surahs.get(1) : folder.inVerses.get(surah ?? 0)
    if (surah !== undefined && first !== undefined) put(parent, surah, `${name}/${first}`)
    else for (const [number, file] of folder.inVerses) put(path, number, file)
    if (!isVerses) whole.set(path, folder.surahs)
  }
  const paths = new Set([...whole.keys(), ...inVerses.keys()])
  return new Map(
    [...paths].map((path) => [
      path,
      new Map([...(inVerses.get(path) ?? []), ...(whole.get(path) ?? [])]),
    ]),
  )
}
