import { closeSync, existsSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'

/** One file beside each partition, kept open. It begins with `header`, which tells its kind and version. */
export function createFilesBeside(directory: string, suffix: string, header: Buffer) {
  const open = new Map<string, number>()
  const fileOf = (name: string) => path.join(directory, name + suffix)

  function close(name: string) {
    const file = open.get(name)
    open.delete(name)
    if (file !== undefined) closeSync(file)
  }

  return {
    isThere: (name: string) => existsSync(fileOf(name)),
    /** Made with its header where there is none. */
    opened(name: string): number {
      const known = open.get(name)
      if (known !== undefined) return known
      const isThere = existsSync(fileOf(name))
      const file = openSync(fileOf(name), isThere ? 'r+' : 'w+', 0o600)
      if (!isThere) writeSync(file, header, 0, header.length, 0)
      open.set(name, file)
      return file
    },
    close,
    closeAll() {
      for (const name of [...open.keys()]) close(name)
    },
    remove(name: string) {
      close(name)
      rmSync(fileOf(name), { force: true })
    },
    /** Of partitions that are gone. */
    removeOthers(names: string[]) {
      for (const file of readdirSync(directory)) {
        const isOther = file.endsWith(suffix) && !names.includes(file.slice(0, -suffix.length))
        if (isOther) rmSync(path.join(directory, file), { force: true })
      }
    },
  }
}

/** Undefined where the file ends before. */
export function readAt(file: number, at: number, length: number): Buffer | undefined {
  // Not from the shared pool: numbers are read from it in place.
  const bytes = Buffer.from(new ArrayBuffer(length))
  return readSync(file, bytes, 0, length, at) === length ? bytes : undefined
}
