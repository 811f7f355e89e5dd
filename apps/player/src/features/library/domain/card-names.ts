import { isUnspeakable } from './card-path.ts'

// What computers and phones leave on a card without being asked.
const SYSTEM_FOLDERS = new Set([
  'system volume information',
  '$recycle.bin',
  'recycler',
  'lost.dir',
  'lost+found',
  '__macosx',
])

/** Folders that hold no recitation, however they are filled. */
export const isSystemFolder = (name: string) =>
  isUnreachable(name) || SYSTEM_FOLDERS.has(name.toLowerCase())

/**
 * `.Trash`, `._001.mp3` and the like; names that are not text and so cannot be opened again; and those
 * that nobody could ask for.
 */
export const isUnreachable = (name: string) =>
  name.startsWith('.') || name.includes('\ufffd') || isUnspeakable(name)
