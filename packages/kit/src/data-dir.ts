import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from './errors.ts'

// A lock that nothing refers to would be collected, and dropped with it.
const held = new Set<DatabaseSync>()

type Claim = {
  /** What is wrong with a disk that takes nothing; undefined where something can be written. */
  problem: string | undefined
  release(): void
}

/**
 * One process owns a data directory. The claim is a lock the kernel drops with the process, so a
 * kill -9 or a power cut never leaves a stale one behind (Node has no flock; SQLite's is the same).
 * A disk that takes nothing is refused, or with `mayBeFull` told: `room` is what it has to take.
 */
export function claimDataDir(
  directory: string,
  setting: string,
  { mayBeFull = false, room = 1 }: { mayBeFull?: boolean; room?: number } = {},
): Claim {
  const fault = tryToWrite(directory, room)
  const { code = '', message = '' } = fault ?? {}
  const problem = fault && `${setting}: ${directory} cannot be written: ${WHY[code] ?? message}`
  if (problem && !(mayBeFull && TAKES_NOTHING.has(code))) throw new StartError(problem)
  const lock = takeLock(directory, setting, { isFull: problem !== undefined })
  if (lock) held.add(lock)
  return {
    problem,
    release() {
      if (!lock) return
      held.delete(lock)
      lock.close()
    },
  }
}

/** None where the disk cannot even hold the lock: then nobody else can write there either. */
function takeLock(
  directory: string,
  setting: string,
  { isFull }: { isFull: boolean },
): DatabaseSync | undefined {
  const owner = path.join(directory, 'owner')
  const file = path.join(directory, 'lock')
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file)
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    const { errcode, message } = error as { errcode?: number; message: string }
    if (errcode === SQLITE_BUSY) {
      throw new StartError(
        `data directory ${directory} is in use by ${ownerOf(owner)}: stop it first, or choose another`,
      )
    }
    if (isFull) return undefined
    throw new StartError(`${setting}: ${file} cannot be opened: ${message}`)
  }
  try {
    writeFileSync(owner, String(process.pid))
  } catch (error) {
    if (!isFull) throw error
  }
  return lock
}

const SQLITE_BUSY = 5
const TAKES_NOTHING = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

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
function tryToWrite(directory: string, room: number): NodeJS.ErrnoException | undefined {
  const probe = path.join(directory, `.written-by-${process.pid}`)
  try {
    makeDirectory(directory)
    try {
      writeFileSync(probe, Buffer.alloc(room), { flush: true })
    } finally {
      rmSync(probe, { force: true })
    }
    return undefined
  } catch (error) {
    return error as NodeJS.ErrnoException
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
