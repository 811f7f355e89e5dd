import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { claimDataDir } from '@manara/kit/data-dir'
import { StartError } from '@manara/kit/errors'
import {
  DAMAGED_STORE,
  isDamaged,
  isNoRoom,
  keepDamaged,
  openOrMendStore,
  roomToMend,
} from './db/mend-store.ts'
import type { Db } from './db/open-store.ts'
import { DATA_FILES } from './features/system/data-files.ts'
import { setAsideUnsound } from './features/system/unsound-rows.ts'

/** What a start takes: the log of the store, its index, and the chime. */
const ROOM = 512 * 1024
/** In memory on every Linux; elsewhere whatever there is. */
const MEMORY = ['/dev/shm', tmpdir()]

/**
 * The data directory, claimed, and what the box remembers. The box calls the adhan also from a disk
 * that is full or read-only: then on a copy in memory, which is forgotten when it stops; `problem` says
 * so. What a worn disk has spoilt is left out; `lost` tells of that. Both are for the owner.
 */
export function openData(directory: string, free = freeIn) {
  using undo = new DisposableStack()
  const claim = claimDataDir(directory, 'PLAYER_DATA', { mayBeFull: true, room: ROOM })
  undo.defer(claim.release)
  const full = claim.problem ?? whyNotMended(directory, free(directory))
  const there = full === undefined ? openUnlessFull(directory) : undefined
  const opened = there ?? openInMemory(directory, full ?? whyFull(directory), undo)
  undo.defer(() => opened.db.close())
  const held = undo.move()
  return { ...opened, release: () => held.dispose() }
}

/** What is free says nothing of quotas: undefined where it did not fit after all. */
function openUnlessFull(directory: string) {
  try {
    return { dataDir: directory, problem: undefined, ...openState(directory, false) }
  } catch (error) {
    if (!isNoRoom(error)) throw error
  }
}

function openInMemory(directory: string, why: string, undo: DisposableStack) {
  const dataDir = copyOf(directory, why)
  undo.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const problem = `${why}; the box goes on, and what is changed now is forgotten when it stops: mend that and start it again`
  return { dataDir, problem, ...openState(dataDir, true) }
}

const whyFull = (directory: string) =>
  whyNotMended(directory, 0) ?? `PLAYER_DATA: ${directory} cannot be written: the disk is full`

function whyNotMended(directory: string, free: number): string | undefined {
  if (free >= roomToMend(directory) + ROOM || !isDamaged(directory)) return undefined
  return `PLAYER_DATA: ${directory} is damaged, and the disk is too full to mend it`
}

function freeIn(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

/**
 * Without what a worn disk has spoilt. Of a copy in memory nothing stays, neither the damaged file nor
 * what is put right.
 */
function openState(dataDir: string, isCopy: boolean): { db: Db; lost: string[] } {
  const { db, problem: damage } = openOrMendStore(dataDir)
  const unsound = soundOnly(db, () => {
    if (damage) return
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    keepDamaged(dataDir)
  })
  const remedy = (what: string) =>
    `${isCopy ? ', in memory alone: start the box with a disk that takes it, and then' : ':'} look through ${what}, or bring a backup back`
  const file = isCopy
    ? 'The damaged file stays as it is until then'
    : `The damaged file is ${DAMAGED_STORE}`
  const told = [
    damage && `${damage}${remedy('the settings, the schedules and the cards')}. ${file}`,
    unsound && `${unsound}${remedy('that')}`,
  ]
  return { db, lost: told.filter((problem) => problem !== undefined) }
}

function soundOnly(db: Db, keepCopy: () => void) {
  try {
    return setAsideUnsound(db, keepCopy)
  } catch (error) {
    db.close()
    throw error
  }
}

/** Throws where not even memory takes it; `full` is why it has to. */
function copyOf(directory: string, full: string): string {
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
  throw new StartError(`${full}, nor memory: ${(problem as Error).message}`)
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
const LEFT = new Set([
  ...['player.db-shm', 'player.db.damaged', 'player.db.damaged-wal'],
  ...['lock', 'owner', 'nfc.sock', 'updates'],
])
