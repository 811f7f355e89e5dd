import type { Card } from '../../ports/card.ts'
import { ROOT, within } from './domain/card-folder.ts'
import { isSystemFolder, isUnreachable } from './domain/card-names.ts'
import { holdsTheSame, isUnchanged, type KnownFolder } from './domain/known-folder.ts'
import { soundNotDecoded, surahFiles } from './domain/surah-file.ts'
import { surahsInVerses } from './verses/domain/verse-file.ts'

export type ScanDeps = {
  card: Card
  /** Extensions that the audio engine plays, the preferred one first. */
  playable: readonly string[]
  now(): number
}

export type ScanOptions = {
  /** What the last scan of this insertion found; folders that have not changed are not listed. */
  known?: ReadonlyMap<string, KnownFolder>
  signal?: AbortSignal
}

export type Scan = {
  folders: Map<string, KnownFolder>
  isChanged: boolean
  /** Folders that are there and cannot be read, with the reason. */
  unreadable: string[]
}

// Deeper folders are somebody's backup of a backup; the cap also ends a damaged, endless tree.
const MAX_DEPTH = 8

// Enough to keep the four file-system threads busy, few enough to stop soon.
const FOLDERS_AT_ONCE = 16

/** Names only: no file is opened. Rejects when aborted and when the card's root cannot be read. */
export async function scanCard(deps: ScanDeps, options: ScanOptions = {}): Promise<Scan> {
  const { known = new Map<string, KnownFolder>(), signal } = options
  const scan: Scan = { folders: new Map(), isChanged: false, unreadable: [] }
  const waiting = [ROOT]

  while (waiting.length > 0) {
    signal?.throwIfAborted()
    const batch = waiting.splice(0, FOLDERS_AT_ONCE)
    const found = await Promise.all(batch.map((path) => visit(deps, path, known.get(path), scan)))
    for (const [index, folder] of found.entries()) {
      const path = batch[index]
      if (!folder || path === undefined) continue
      scan.folders.set(path, folder)
      if (depthOf(path) < MAX_DEPTH)
        waiting.push(...folder.folders.map((name) => within(path, name)))
    }
  }

  signal?.throwIfAborted()
  if (scan.folders.size !== known.size) scan.isChanged = true
  return scan
}

async function visit(
  deps: ScanDeps,
  path: string,
  before: KnownFolder | undefined,
  scan: Scan,
): Promise<KnownFolder | undefined> {
  try {
    const folder = await look(deps, path, before)
    if (folder && !(before && holdsTheSame(before, folder))) scan.isChanged = true
    return folder
  } catch (error) {
    if (path === ROOT) throw error
    scan.unreadable.push(`${path}: ${(error as Error).message}`)
    return undefined
  }
}

// The stamp comes before the listing: a change in between makes the next scan list again.
async function look(
  { card, playable, now }: ScanDeps,
  path: string,
  before: KnownFolder | undefined,
): Promise<KnownFolder | undefined> {
  const listed_at = now()
  const stamp = await card.folderStamp(path)
  if (!stamp) return undefined
  if (before && isUnchanged(before, stamp)) return before
  const listing = await card.list(path)
  if (!listing) return undefined
  const files = listing.files.filter((name) => !isUnreachable(name))
  return {
    stamp,
    listed_at,
    folders: listing.folders.filter((name) => !isSystemFolder(name)).sort(),
    surahs: surahFiles(files, playable),
    inVerses: surahsInVerses(files, playable),
    notDecoded: soundNotDecoded(files, playable),
  }
}

const depthOf = (path: string) => (path === ROOT ? 0 : path.split('/').length)
