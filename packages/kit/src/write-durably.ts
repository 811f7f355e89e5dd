import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import path from 'node:path'

/** The file is whole under its name or not there at all, whenever the plug is pulled. */
export function writeDurably(file: string, content: string, mode: number) {
  const draft = `${file}.new`
  const handle = openSync(draft, 'w', mode)
  writeSync(handle, content)
  fsyncSync(handle)
  closeSync(handle)
  renameSync(draft, file)
  syncToDisk(path.dirname(file))
}

/** A file's content, or the names in a folder, are on disk when this returns. */
export function syncToDisk(file: string) {
  const handle = openSync(file, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
