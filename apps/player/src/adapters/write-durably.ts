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
  const folder = openSync(path.dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
