import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from './errors.ts'

// A lock that nothing refers to would be collected, and dropped with it.
const held = new Set<DatabaseSync>()

/**
 * One process owns a data directory. The claim is a lock the kernel drops with the process, so a
 * kill -9 or a power cut never leaves a stale one behind (Node has no flock; SQLite's is the same).
 */
export function claimDataDir(directory: string): { release(): void } {
  mkdirSync(directory, { recursive: true })
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

function ownerOf(file: string): string {
  try {
    return `process ${readFileSync(file, 'utf8')}`
  } catch {
    return 'another process'
  }
}
