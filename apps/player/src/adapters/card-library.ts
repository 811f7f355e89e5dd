import { type Dirent, type FSWatcher, watch } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { asSpelled } from '@manara/kit/as-spelled'
import {
  type Card,
  type CardIdentity,
  type FolderListing,
  type FolderWatch,
  SILENT,
} from '../ports/card.ts'
import { createPatience, letGo } from './patience.ts'

/** As many as keep a card busy. */
const AT_ONCE = 4
/** What is lost stops what plays, and a folder that is not listed is left out: these get more time. */
const PATIENT = { patience_ms: 30_000 }

/** The card as a directory of this machine: a mount point, or a plain folder. */
export function createCard(mount: string, patience = createPatience(AT_ONCE)): Card {
  const { ask, isSilent, onChange, startAnew } = patience
  let volume: string | undefined
  let isPeeking = false
  const inside = (relative: string) => path.join(mount, relative)

  async function look() {
    const found = await ask(() => identity(mount), PATIENT)
    volume = found?.volume
    return found
  }

  /** Nobody waits for it, and it is the only one: whether there is another card than the one that has died. */
  async function peek() {
    if (isPeeking) return
    isPeeking = true
    const found = await identity(mount).catch(() => undefined)
    isPeeking = false
    if (found && found.volume !== volume) startAnew()
  }

  return {
    mount,

    async identity() {
      if (isSilent()) void peek()
      return look().catch(() => undefined)
    },

    problem: () => (isSilent() ? SILENT : undefined),

    onProblem: onChange,

    folderStamp: (folder) =>
      unlessGone(async () => {
        const { dev, ino, mtimeMs, ctimeMs } = await ask(() => stat(inside(folder)))
        return { inode: `${dev}:${ino}`, mtime_ms: mtimeMs, ctime_ms: ctimeMs }
      }),

    list: (folder) => unlessGone(() => ask(() => list(mount, inside(folder)), PATIENT)),

    resolveFile: (relative) =>
      ask(
        // What was kept under a name holds also where another computer has copied the card.
        async () =>
          (await resolveFile(mount, inside(relative))) ??
          resolveFile(mount, await asSpelled(mount, relative)),
      ),

    fileStamp: (file) =>
      unlessGone(async () => {
        const { size, mtimeMs } = await ask(() => stat(file))
        return { path: file, size, mtime_ms: Math.trunc(mtimeMs) }
      }),

    async openFile(file) {
      const handle = await ask(() => open(file), { tooLate: letGo })
      return {
        async read(offset, length) {
          const { buffer, bytesRead } = await ask(() =>
            handle.read(Buffer.alloc(length), 0, length, offset),
          )
          return buffer.subarray(0, bytesRead)
        },
        close: async () => letGo(handle),
      }
    },

    watchFolders: (onHint) => watchFolders(mount, onHint),
  }
}

async function identity(mount: string): Promise<CardIdentity | undefined> {
  // One after the other, as everywhere here: a call to the card has one thread of its own at most.
  const root = await stat(mount)
  const parent = await stat(path.dirname(mount))
  if (!root.isDirectory()) return undefined
  // An unmounted card often leaves its empty mount point behind, which is not a card.
  const isMountPoint = root.dev !== parent.dev
  if (!isMountPoint && (await readdir(mount)).every(isHidden)) return undefined
  return { volume: `${root.dev}:${root.ino}`, mtime_ms: root.mtimeMs }
}

async function list(mount: string, folder: string): Promise<FolderListing> {
  const listing: FolderListing = { files: [], folders: [] }
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) listing.folders.push(entry.name)
    else if (entry.isFile() || (await leadsToFile(mount, entry))) listing.files.push(entry.name)
  }
  return listing
}

// Links to folders are left alone: what they lead to is on the card under its own name, or off it.
async function leadsToFile(mount: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return false
  return (await resolveFile(mount, path.join(entry.parentPath, entry.name))) !== undefined
}

async function resolveFile(mount: string, file: string): Promise<string | undefined> {
  try {
    const root = await realpath(mount)
    const real = await realpath(file)
    const isOnCard = real.startsWith(root.endsWith('/') ? root : `${root}/`)
    return isOnCard && (await stat(real)).isFile() ? real : undefined
  } catch {
    return undefined
  }
}

/** Linux watches single folders; its recursive mode would take a watch for each of 22,800 files. */
function watchFolders(mount: string, onHint: () => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>()

  function drop(key: string) {
    watchers.get(key)?.close()
    watchers.delete(key)
  }

  function add(key: string, folder: string): boolean {
    try {
      const watcher = watch(folder, { persistent: false }, (event, name) => {
        // `change` is about content, which the library learns when it reads a duration.
        if (event !== 'rename') return
        // The folder itself: it was moved, deleted or unmounted, and this watch hears no more.
        if (name === path.basename(folder)) drop(key)
        onHint()
      })
      watcher.on('error', () => {
        drop(key)
        onHint()
      })
      watchers.set(key, watcher)
      return true
    } catch {
      return false
    }
  }

  return {
    follow(folders) {
      const wanted = new Map<string, string>()
      // A folder made anew under its old name is another inode, and the old watch is deaf to it.
      for (const { path: folder, inode } of folders)
        wanted.set(`${inode} ${folder}`, path.join(mount, folder))
      for (const key of watchers.keys()) if (!wanted.has(key)) drop(key)
      const fresh = [...wanted].filter(([key]) => !watchers.has(key))
      const added = fresh.filter(([key, folder]) => add(key, folder))
      // What happened between the listing of a folder and now was heard by nobody.
      if (added.length > 0) onHint()
      return added.length === fresh.length
    },
    close() {
      for (const key of watchers.keys()) drop(key)
    },
  }
}

async function unlessGone<Value>(look: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await look()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

const isHidden = (name: string) => name.startsWith('.')
