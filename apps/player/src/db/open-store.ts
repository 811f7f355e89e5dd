import { chmodSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MIGRATIONS } from './migrations.ts'

export type Db = DatabaseSync

/** State lives beside the service, never on the removable card. Every commit is on disk when it returns. */
export function openStore(dataDir: string): Db {
  const file = path.join(dataDir, 'player.db')
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  // The device token is in it.
  chmodSync(file, 0o600)
  migrate(db)
  return db
}

function migrate(db: Db) {
  const { user_version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  if (user_version > MIGRATIONS.length) {
    throw new Error(
      `the state store is of a newer version (${user_version}, this one knows ${MIGRATIONS.length}): install the newer version again`,
    )
  }
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < user_version) continue
    db.exec(`BEGIN; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT`)
  }
}
