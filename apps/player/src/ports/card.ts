export const SILENT = 'the card does not answer: take it out and put it in again'

/** `volume` differs for another card, or for the bare mount point; `mtime_ms` is the root folder's. */
export type CardIdentity = { volume: string; mtime_ms: number }

/** What tells that names in a folder may have changed: adding, removing and renaming move the times. */
type FolderStamp = { inode: string; mtime_ms: number; ctime_ms: number }

export type FolderListing = { files: string[]; folders: string[] }

/** One content of one file; times are whole milliseconds. */
export type FileStamp = { path: string; size: number; mtime_ms: number }

type CardFile = {
  /** Shorter than `length` only at the end of the file. */
  read(offset: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

export type FolderWatch = {
  /** Watches exactly these folders from now on; false when some of them cannot be watched. */
  follow(folders: Iterable<{ path: string; inode: string }>): boolean
  close(): void
}

/**
 * The removable card. Folder paths are relative to its mount point with forward slashes, `.` being
 * the card itself. What is not there (any more) is `undefined`; other failures to read reject, among
 * them that nothing came within a time: nobody waits for a dead card without an end.
 */
export type Card = {
  readonly mount: string
  /** Never rejects: a card that cannot be looked at is not there. */
  identity(): Promise<CardIdentity | undefined>
  /** Why a card that may be in cannot be looked at. */
  problem(): string | undefined
  /** Calls back when `problem` is another; the result ends that. */
  onProblem(listener: () => void): () => void
  folderStamp(folder: string): Promise<FolderStamp | undefined>
  /** Ordinary files and folders; a link counts as the file it leads to if that is on the card. */
  list(folder: string): Promise<FolderListing | undefined>
  /**
   * The absolute, link-free path of an ordinary file that really lies on the card. Rejects only when the
   * card does not answer.
   */
  resolveFile(relativePath: string): Promise<string | undefined>
  fileStamp(absolutePath: string): Promise<FileStamp | undefined>
  openFile(absolutePath: string): Promise<CardFile>
  /** Calls back when a name in a followed folder comes or goes; maybe more often, never less. */
  watchFolders(onHint: () => void): FolderWatch
}
