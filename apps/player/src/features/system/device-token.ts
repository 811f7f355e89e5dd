import { randomBytes } from 'node:crypto'
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Db } from '../../db/open-store.ts'

/** Made once, at first boot, and kept; `isNew` asks the caller to print it on the console. */
export function deviceToken(db: Db): { token: string; isNew: boolean } {
  const fresh = randomBytes(32).toString('hex')
  const { changes } = db
    .prepare("INSERT INTO device (key, value) VALUES ('token', ?) ON CONFLICT DO NOTHING")
    .run(fresh)
  return { token: storedToken(db) ?? fresh, isNew: changes === 1 }
}

function storedToken(db: Db): string | undefined {
  const row = db.prepare("SELECT value FROM device WHERE key = 'token'").get()
  return row?.value as string | undefined
}

/** For a program beside the service; undefined before the first start. Throws with what can be done. */
export function tokenIn(dataDir: string): string | undefined {
  const file = path.join(dataDir, 'player.db')
  try {
    accessSync(file, constants.R_OK)
    // SQLite would delete the log beside it, which the next start still reads.
    if (statSync(file).size === 0) return undefined
    using db = new DatabaseSync(file, { readOnly: true })
    return storedToken(db)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    const isForeign = code === 'EACCES'
    throw new Error(
      `${file} cannot be read: ${isForeign ? 'run this as the user that the player runs as' : message}`,
    )
  }
}
