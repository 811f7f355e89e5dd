/** What a scan found in one folder, and when that can be believed again without listing it. */
export type KnownFolder = {
  stamp: { inode: string; mtime_ms: number; ctime_ms: number }
  listed_at: number
  folders: readonly string[]
  surahs: ReadonlyMap<number, string>
  /** Surahs of which every verse is a file: the first of them. */
  inVerses: ReadonlyMap<number, string>
  /** Endings of sound files that the engine does not decode, one for each file. */
  notDecoded: readonly string[]
}

// FAT keeps times in steps of 2 s: a change right after the listing may leave the stamp as it was.
const COARSEST_STEP_MS = 2_000

/**
 * True when the folder surely holds the names it held. Content written into an existing file moves
 * neither time, but the library is made of names alone. Only for one and the same insertion of a
 * card: Windows adds files to FAT folders without touching their times.
 */
export function isUnchanged({ stamp, listed_at }: KnownFolder, now: KnownFolder['stamp']): boolean {
  const isSame =
    stamp.inode === now.inode && stamp.mtime_ms === now.mtime_ms && stamp.ctime_ms === now.ctime_ms
  return isSame && listed_at - Math.max(stamp.mtime_ms, stamp.ctime_ms) > COARSEST_STEP_MS
}

export function holdsTheSame(a: KnownFolder, b: KnownFolder): boolean {
  return (
    a.folders.length === b.folders.length &&
    a.folders.every((name, index) => name === b.folders[index]) &&
    a.notDecoded.length === b.notDecoded.length &&
    a.notDecoded.every((kind, index) => kind === b.notDecoded[index]) &&
    isSame(a.surahs, b.surahs) &&
    isSame(a.inVerses, b.inVerses)
  )
}

const isSame = (a: KnownFolder['surahs'], b: KnownFolder['surahs']) =>
  a.size === b.size && [...a].every(([number, file]) => b.get(number) === file)
