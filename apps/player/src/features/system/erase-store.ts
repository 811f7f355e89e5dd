import { inOneStep } from '../../db/in-one-step.ts'
import type { Db } from '../../db/open-store.ts'

/**
 * Empties every table, whichever features have come since, and leaves one row: the new token. In
 * one transaction, so that a power cut leaves the old box or the new one; then over the freed pages.
 */
export function eraseStore(db: Db, token: string) {
  const tables = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'sqlite_sequence'")
    .all() as { name: string }[]
  const deletes = tables.map(({ name }) => `DELETE FROM "${name}"`)
  db.exec('PRAGMA secure_delete = ON')
  inOneStep(db, () => {
    for (const sql of [...deletes, 'DELETE FROM sqlite_sequence']) db.exec(sql)
    db.prepare("INSERT INTO device (key, value) VALUES ('token', ?)").run(token)
  })
  try {
    db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The new token counts since the commit, so nobody may hear of a failure; the next start tries again.
  }
}
