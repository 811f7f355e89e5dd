import type { Reciter, ReciterSurahs } from '@manara/player-contract/library'
import { SURAHS } from '@manara/player-contract/surahs'
import { isFirstVerse } from '../verses/domain/verse-file.ts'
import { placeOf, within } from './card-folder.ts'
import { reciterInArabic } from './reciter-arabic.ts'
import { reciterNames } from './reciter-names.ts'
import { extensionOf, surahNumber } from './surah-file.ts'

type Located = { reciter: string; surah_number: number }
type Shelf = { reciter: Reciter; files: ReadonlyMap<number, string> }

const byName = new Intl.Collator('en', { numeric: true })

/** Who recites what on the card. A folder that directly holds a surah is a reciter. */
export function createCatalogue(
  folders: Iterable<readonly [path: string, surahs: ReadonlyMap<number, string>]>,
) {
  const filled = [...folders].filter(([, files]) => files.size > 0)
  const names = reciterNames(filled.map(([path]) => path))
  const shelves = filled
    .map(([path, files]) => shelf(names.get(path) ?? path, path, files))
    .sort((a, b) => byName.compare(a.reciter.name, b.reciter.name))
  const shelfByName = new Map(shelves.map((shelf) => [shelf.reciter.name, shelf]))
  const shelfByPath = new Map(shelves.map((shelf) => [shelf.reciter.path, shelf]))
  const shelfBySpelling = new Map(
    shelves.map((shelf) => [shelf.reciter.path.normalize('NFC'), shelf]),
  )
  /** A path may be of a card that another computer has copied since, and spells in its own way. */
  const shelfAt = (path: string) =>
    shelfByPath.get(path) ?? shelfBySpelling.get(path.normalize('NFC'))

  /** A surah of which every verse is a file is listed, and so asked for, by the first of them. */
  const byFirstVerse = new Map(shelves.flatMap(firstVerses))

  /** By name first: a path is what links keep, a name is what people type. */
  const find = (reciter: string) => shelfByName.get(reciter.normalize('NFC')) ?? shelfAt(reciter)

  return {
    reciters: shelves.map(({ reciter }) => reciter),
    fileCount: shelves.reduce((sum, { files }) => sum + files.size, 0),

    surahs(reciter: string): ReciterSurahs | undefined {
      const found = find(reciter)
      return found && surahsOf(found)
    },

    /** The file's path relative to the card. */
    file(reciter: string, surah: number): string | undefined {
      const found = find(reciter)
      return found && pathOf(found, surah)
    },

    /** The same, unless it is only the first verse of the surah. */
    whole(reciter: string, surah: number): string | undefined {
      const found = find(reciter)
      return found && !isFirstVerse(found.files.get(surah) ?? '') ? pathOf(found, surah) : undefined
    },

    /** The reciter's folder relative to the card. */
    folder: (reciter: string): string | undefined => find(reciter)?.reciter.path,

    /** Whose and which surah a file is, also when another file of that surah was preferred. */
    locate(path: string): Located | undefined {
      const listed = byFirstVerse.get(path)
      if (listed) return listed
      const [folder, file] = placeOf(path)
      const found = shelfAt(folder)
      const surah_number = surahNumber(file.slice(0, -extensionOf(file).length - 1))
      if (!found || surah_number === undefined || !found.files.has(surah_number)) return undefined
      return { reciter: found.reciter.name, surah_number }
    },
  }
}

function shelf(name: string, path: string, files: ReadonlyMap<number, string>): Shelf {
  const complete = files.size === SURAHS.length
  const name_ar = reciterInArabic(name)
  const known = name_ar === undefined ? {} : { name_ar }
  return { reciter: { name, ...known, path, surah_count: files.size, complete }, files }
}

function surahsOf(shelf: Shelf): ReciterSurahs {
  const surahs = SURAHS.map((surah) => {
    const path = pathOf(shelf, surah.number) ?? null
    const isByVerse = isFirstVerse(shelf.files.get(surah.number) ?? '')
    return { ...surah, available: path !== null, path, ...(isByVerse && { by_verse: true }) }
  })
  return {
    reciter: shelf.reciter.name,
    count: shelf.files.size,
    available: surahs.map(({ available }) => available),
    surahs,
  }
}

function firstVerses(shelf: Shelf): [path: string, located: Located][] {
  const reciter = shelf.reciter.name
  return [...shelf.files].flatMap(([surah_number, file]) =>
    isFirstVerse(file) ? [[pathOf(shelf, surah_number) as string, { reciter, surah_number }]] : [],
  )
}

function pathOf({ reciter, files }: Shelf, surah: number): string | undefined {
  const file = files.get(surah)
  return file === undefined ? undefined : within(reciter.path, file)
}
