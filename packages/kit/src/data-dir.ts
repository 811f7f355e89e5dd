import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from './errors.ts'

// A lock that nothing refers to would be collected, and dropped with it.
const held = new Set<DatabaseSync>()

/**
 * One process owns a data directory. The claim is a lock the kernel drops with the process, so a
 * kill -9 or a power cut never leaves a stale one behind (Node has no flock; SQLite's is the same).
 */
export function claimDataDir(directory: string, setting: string): { release(): void } {
  checkWritable(directory, setting)
  const owner = path.join(directory, 'owner')
  const lock = new DatabaseSync(path.join(directory, 'lock'))
  try {
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new StartError(
      `data directory ${directory} is in use by ${ownerOf(owner)}: stop it first, or choose another`,
    )
  }
  writeFileSync(owner, String(process.pid))
  held.add(lock)
  return {
    release() {
      held.delete(lock)
      lock.close()
    },
  }
}

const WHY: Record<string, string> = {
  EACCES: 'this account may not write there',
  EPERM: 'this account may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'there is a file of that name',
  ENOENT: 'it cannot be made',
}

/** Really written to: what a mode says is not what a file system does. */
function checkWritable(directory: string, setting: string) {
  const probe = path.join(directory, `.written-by-${process.pid}`)
  try {
    makeDirectory(directory)
    writeFileSync(probe, 'x', { flush: true })
    rmSync(probe)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new StartError(`${setting}: ${directory} cannot be written: ${WHY[code] ?? message}`)
  }
}

/** Not `recursive`: where nothing can be made, as below /proc, Node would try for ever. */
function makeDirectory(directory: string) {
  if (existsSync(directory)) return
  const parent = path.dirname(directory)
  if (!existsSync(parent)) makeDirectory(parent)
  mkdirSync(directory)
}

function ownerOf(file: string): string {
  try {
    return `process ${readFileSync(file, 'utf8')}`
  } catch {
    return 'another process'
  }
}
