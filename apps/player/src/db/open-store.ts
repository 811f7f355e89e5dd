import { chmodSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MIGRATIONS, READABLE_FROM } from './migrations.ts'

export type Db = DatabaseSync

/** State lives beside the service, never on the removable card. Every commit is on disk when it returns. */
export function openStore(dataDir: string): Db {
  const file = path.join(dataDir, 'player.db')
  const db = new DatabaseSync(file)
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    // The device token is in it.
    chmodSync(file, 0o600)
    migrate(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** An empty one that is gone when it is closed, as a version with so many migrations left its own. */
export function storeInMemory(version: number): Db {
  const db = new DatabaseSync(':memory:')
  db.exec(
    `PRAGMA foreign_keys = ON; ${MIGRATIONS.slice(0, version).join('; ')}; PRAGMA user_version = ${version}`,
  )
  return db
}

/**
 * A newer store says which versions can still work on it, in a number of its head that erasing leaves
 * alone: where the newer version is damaged on the disk, an older one takes its place.
 */
export function migrate(db: Db) {
  const { user_version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  if (user_version > MIGRATIONS.length && !isReadable(db)) {
    throw new Error(
      `the state store is of a newer version (${user_version}, this one knows ${MIGRATIONS.length}): install the newer version again`,
    )
  }
  const missing = MIGRATIONS.slice(user_version)
  if (missing.length === 0) return
  const marks = `PRAGMA application_id = ${READABLE_FROM}; PRAGMA user_version = ${MIGRATIONS.length}`
  db.exec(`BEGIN; ${missing.join('; ')}; ${marks}; COMMIT`)
}

function isReadable(db: Db): boolean {
  const { application_id } = db.prepare('PRAGMA application_id').get() as { application_id: number }
  return application_id > 0 && application_id <= MIGRATIONS.length
}
