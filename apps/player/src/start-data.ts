import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { claimDataDir } from '@manara/kit/data-dir'
import { StartError } from '@manara/kit/errors'
import { keepDamaged, openOrMendStore } from './db/mend-store.ts'
import type { Db } from './db/open-store.ts'
import { DATA_FILES } from './features/system/data-files.ts'
import { setAsideUnsound } from './features/system/unsound-rows.ts'

/** What a start takes: the log of the store, its index, and the chime. */
const ROOM = 512 * 1024
/** In memory on every Linux; elsewhere whatever there is. */
const MEMORY = ['/dev/shm', tmpdir()]

/**
 * The data directory, claimed. The box calls the adhan also from a disk that is full or read-only:
 * then on a copy in memory, which is forgotten when it stops.
 */
export function openDataDir(directory: string) {
  const claim = claimDataDir(directory, 'PLAYER_DATA', { mayBeFull: true, room: ROOM })
  if (claim.problem === undefined) return { ...claim, dataDir: directory }
  try {
    const dataDir = copyOf(directory)
    return {
      dataDir,
      problem: `${claim.problem}; the box goes on, and what is changed now is forgotten when it stops: mend that and start it again`,
      release() {
        rmSync(dataDir, { recursive: true, force: true })
        claim.release()
      },
    }
  } catch (error) {
    claim.release()
    throw new StartError(`${claim.problem}, nor memory: ${(error as Error).message}`)
  }
}

/** What the box remembers, without what a worn disk has spoilt; `problems` are for the owner. */
export function openState(dataDir: string): { db: Db; problems: string[] } {
  const { db, problem: damage } = openOrMendStore(dataDir)
  const unsound = setAsideUnsound(db, () => {
    if (damage) return
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    keepDamaged(dataDir)
  })
  return { db, problems: [damage, unsound].filter((problem) => problem !== undefined) }
}

function copyOf(directory: string): string {
  let problem: unknown
  for (const place of MEMORY.filter((one) => existsSync(one))) {
    let copy: string | undefined
    try {
      copy = mkdtempSync(path.join(place, 'manara-player-'))
      fill(copy, directory)
      return copy
    } catch (error) {
      problem = error
      if (copy) rmSync(copy, { recursive: true, force: true })
    }
  }
  throw problem
}

function fill(copy: string, directory: string) {
  // The token and keys are in it.
  chmodSync(copy, 0o700)
  for (const name of Object.keys(DATA_FILES)) {
    const [from, to] = [path.join(directory, name), path.join(copy, name)]
    if (!existsSync(from) || LEFT.has(name)) continue
    // Recordings are large, and only read.
    if (name === 'sounds') symlinkSync(from, to)
    else cpSync(from, to, { recursive: true, preserveTimestamps: true })
  }
}

/** Of whoever ran before, or found by its own setting. */
const LEFT = new Set(['player.db-shm', 'player.db.damaged', 'lock', 'owner', 'nfc.sock', 'updates'])
