import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { type FileHandle, open, rename } from 'node:fs/promises'
import path from 'node:path'

/** The file is whole under its name or not there at all, whenever the plug is pulled. */
export function writeDurably(file: string, content: string, mode: number) {
  const draft = `${file}.new`
  const handle = openSync(draft, 'w', mode)
  try {
    writeFileSync(handle, content)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(draft, file)
  syncToDisk(path.dirname(file))
}

/** A file's content, or the names in a folder, are on disk when this returns. */
export function syncToDisk(file: string) {
  const handle = openSync(file, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** As `writeDurably`, while requests are served; of one file one at a time. */
export async function writeFileDurably(file: string, content: string, mode: number) {
  const draft = `${file}.new`
  await writeAndSync(await open(draft, 'w', mode), content)
  await rename(draft, file)
  await writeAndSync(await open(path.dirname(file), 'r'))
}

/** Behind what the file has; on disk when it resolves. */
export async function appendDurably(file: string, content: string, mode: number) {
  await writeAndSync(await open(file, 'a', mode), content)
}

async function writeAndSync(handle: FileHandle, content?: string) {
  try {
    if (content !== undefined) await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
