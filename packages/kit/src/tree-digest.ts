import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import path from 'node:path'

/** One file or link of a tree, by its path below the root. */
export type TreeEntry = { path: string; sha256: string; kind: 'file' | 'link' }

/** One hash for a tree of files, whatever their order, times and modes. */
export function digestOfEntries(entries: TreeEntry[]): string {
  const hash = createHash('sha256')
  const ordered = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  for (const { path: name, sha256, kind } of ordered) hash.update(`${kind}\0${name}\0${sha256}\n`)
  return hash.digest('hex')
}

/** The hash of what lies on the disk now below `root`, in `tops` alone where they are given. */
export async function treeDigest(root: string, tops: readonly string[] = ['']): Promise<string> {
  const entries: TreeEntry[] = []
  for (const top of tops) await collect(root, top, entries)
  return digestOfEntries(entries)
}

async function collect(root: string, folder: string, entries: TreeEntry[]) {
  const found = await readdir(path.join(root, folder), { withFileTypes: true })
  for (const entry of found) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`
    const file = path.join(root, name)
    if (entry.isDirectory()) await collect(root, name, entries)
    else if (entry.isSymbolicLink()) {
      const sha256 = createHash('sha256')
        .update(await readlink(file))
        .digest('hex')
      entries.push({ path: name, sha256, kind: 'link' })
    } else if (entry.isFile())
      entries.push({ path: name, sha256: await hashOf(file), kind: 'file' })
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}
