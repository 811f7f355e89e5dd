import type { Card } from '../../../ports/card.ts'
import { placeOf, within } from '../domain/card-folder.ts'
import { chooseVerseFiles, surahFolder, verseInFolder, verseNamed } from './domain/verse-file.ts'

type VerseFiles = ReadonlyMap<number, string>

/** Verse -> file relative to the card: `067001.mp3` and `67_1.mp3` in the folder, or `67/1.mp3`. */
export async function listVerseFiles(
  { card, playable }: { card: Pick<Card, 'list'>; playable: readonly string[] },
  folder: string,
  surah: number,
): Promise<VerseFiles> {
  const listing = await card.list(folder)
  if (!listing) return new Map()
  const named = listing.files.flatMap((name) => {
    const place = verseNamed(name)
    return place?.surah === surah ? [{ path: within(folder, name), verse: place.verse }] : []
  })
  const inFolders = await Promise.all(
    listing.folders
      .filter((name) => surahFolder(name) === surah)
      .map(async (name) => {
        const path = within(folder, name)
        const files = (await card.list(path))?.files ?? []
        return files.flatMap((file) => {
          const place = verseNamed(file)
          const verse = place
            ? place.surah === surah
              ? place.verse
              : undefined
            : verseInFolder(file)
          return verse === undefined ? [] : [{ path: within(path, file), verse }]
        })
      }),
  )
  return chooseVerseFiles([...named, ...inFolders.flat()], playable)
}

/**
 * Timing files that may be about a surah's file, the nearest first: of the same name beside it
 * (`067.json`, `067.txt`), then those for the whole folder (`timings.json`, `*.db`).
 */
export async function listTimingFiles(
  card: Pick<Card, 'list'>,
  audio: string,
  surah: number,
): Promise<string[]> {
  const [folder, file] = placeOf(audio)
  const stem = file.slice(0, file.lastIndexOf('.')).toLowerCase()
  const number = String(surah)
  const stems = [...new Set([stem, number.padStart(3, '0'), number])]
  const beside = stems.flatMap((name) => [`${name}.json`, `${name}.txt`])
  const rankOf = (name: string) => {
    const plain = name.toLowerCase()
    const place = beside.indexOf(plain)
    if (place >= 0) return place
    if (plain === 'timings.json' || plain === 'segments.json') return beside.length
    return plain.endsWith('.db') ? beside.length + 1 : -1
  }
  const files = (await card.list(folder))?.files ?? []
  return files
    .filter((name) => rankOf(name) >= 0)
    .sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
    .slice(0, 6)
    .map((name) => within(folder, name))
}
