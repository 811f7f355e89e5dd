import { invalid, unavailable } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import type { Backup } from '@manara/player-contract/backup'
import { inOneStep } from '../../db/in-one-step.ts'
import { MIGRATIONS } from '../../db/migrations.ts'
import { type Db, migrate, storeInMemory } from '../../db/open-store.ts'
import { afterReply } from '../../http/after-reply.ts'
import type { Clock } from '../../ports/clock.ts'
import { COPIED, ofOwner } from './domain/copied.ts'
import { digestOf } from './make-backup.ts'
import { placeSounds, unpackSounds } from './own-sounds.ts'
import { fillTable, readTable } from './tables.ts'

export type BringBackDeps = {
  db: Db
  clock: Pick<Clock, 'after'>
  log: Pick<Logger, 'info'>
  soundFolder: string
  /** Why the disk takes nothing. */
  problem?: string | undefined
  /** A version that gives way would find a store that is newer than it. */
  isUpdating(): boolean
  /** Reads a store as a start does; throws where it cannot be understood. */
  tryOut(db: Db): void
  /** What was called at the old place and is ahead at that of this store is called there. */
  callAgain(restored: Db): void
  /** Nothing may write its place into the store that was just filled. */
  silence(): Promise<void>
  /** Everything stops and starts anew, with nothing in memory. */
  restart(): void
}

/**
 * The box as it was when the backup was made, whole or not at all: first in a store in memory, by
 * the version that made it and then by this one, and on disk in one transaction.
 */
export async function bringBack(deps: BringBackDeps, backup: Backup): Promise<{ success: true }> {
  if (deps.isUpdating()) {
    throw invalid('backup', 'an update is under way: try again when it is over')
  }
  if (deps.problem) throw unavailable(deps.problem)
  using trial = storeInMemory(backup.store)
  fillTrial(trial, backup)
  understood('tables', () => deps.tryOut(trial))
  // Before the settings that name them: a call that finds its sound missing is a chime.
  await placeSounds(deps.soundFolder, unpackSounds(backup))
  await deps.silence()
  inOneStep(deps.db, () => {
    deps.callAgain(trial)
    for (const name of COPIED.toReversed()) {
      deps.db.exec(`DELETE FROM "${name}" WHERE ${ofOwner(name)}`)
    }
    for (const name of COPIED) fillTable(deps.db, name, readTable(trial, name))
    // Of other schedules than these, which have their numbers.
    deps.db.exec(`DELETE FROM fired WHERE key LIKE 'schedule:%'`)
  })
  deps.log.info({ made_at: backup.made_at }, 'a backup was brought back: starting anew')
  afterReply(deps.clock, deps.restart)
  return { success: true }
}

function fillTrial(trial: Db, { digest, store, tables, version }: Backup) {
  if (digest !== digestOf(tables)) {
    throw invalid('digest', 'the file was cut or changed since it was made: choose another one')
  }
  if (store > MIGRATIONS.length) {
    throw invalid('store', `the backup is of a newer version, ${version}: update this box first`)
  }
  for (const name of COPIED) {
    // The version that made it may not have known it yet.
    const table = tables[name]
    if (table) understood(`tables.${name}`, () => fillTable(trial, name, table))
  }
  migrate(trial)
  // Their hour may have passed since: they count from the start, as new ones do.
  trial.exec('UPDATE schedules SET armed_at = NULL')
  // What played then was interrupted by no power cut: the place is kept, and it stays silent.
  trial.exec(
    `UPDATE resume SET source = json_set(source, '$.playing', json('false')) WHERE json_valid(source)`,
  )
}

function understood(field: string, read: () => void) {
  try {
    read()
  } catch (error) {
    throw invalid(field, `this box does not understand it: ${(error as Error).message}`)
  }
}
