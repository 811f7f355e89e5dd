import fs from 'node:fs'
import fsp, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'

type Call = (...args: never[]) => unknown

/**
 * Counts every change this process makes to the disk and, at the chosen one, kills it with SIGKILL:
 * a write is left half done, a folder half deleted, anything else not done at all.
 */
export function cutDisk(at: number, onCut: (change: string) => void): { changes(): number } {
  const { readdirSync, unlinkSync, writeSync } = fs
  let changes = 0

  function isCut(change: string): boolean {
    changes += 1
    if (changes !== at) return false
    onCut(change)
    return true
  }
  const die = () => process.kill(process.pid, 'SIGKILL')

  function halfOf(data: unknown): Buffer {
    const bytes = Buffer.from(data as string)
    return bytes.subarray(0, bytes.length >> 1)
  }

  function halfDelete(target: string) {
    if (!fs.statSync(target, { throwIfNoEntry: false })?.isDirectory()) return
    const files = readdirSync(target, { recursive: true, withFileTypes: true }).filter(
      (entry) => !entry.isDirectory(),
    )
    for (const { parentPath, name } of files.slice(0, files.length >> 1)) {
      unlinkSync(path.join(parentPath, name))
    }
  }

  function wrap(owner: object, name: string, atCut: (args: unknown[]) => void = () => {}) {
    const calls = owner as Record<string, Call>
    const original = calls[name] as Call
    calls[name] = function (this: unknown, ...args: never[]) {
      if (isCut(name.replace(/Sync$/, ''))) {
        atCut(args)
        die()
      }
      return original.apply(this, args)
    }
  }

  for (const name of ['fsyncSync', 'renameSync', 'copyFileSync', 'chmodSync']) wrap(fs, name)
  wrap(fs, 'writeFileSync', ([handle, data]) => {
    if (typeof handle === 'number') writeSync(handle, halfOf(data))
  })
  wrap(fs, 'rmSync', ([target]) => halfDelete(target as string))
  for (const name of ['rename', 'mkdir', 'symlink', 'writeFile']) wrap(fsp, name)
  wrap(fsp, 'rm', ([target]) => halfDelete(target as string))
  const { open } = fsp
  fsp.open = async (...args) => {
    const handle: FileHandle = await open(...args)
    wrap(handle, 'sync')
    wrap(handle, 'writeFile', ([data]) => writeSync(handle.fd, halfOf(data)))
    return handle
  }
  syncBuiltinESMExports()
  return { changes: () => changes }
}
