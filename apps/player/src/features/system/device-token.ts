import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/open-store.ts'

/** Made once, at first boot, and kept; `isNew` asks the caller to print it on the console. */
export function deviceToken(db: Db): { token: string; isNew: boolean } {
  const fresh = randomBytes(32).toString('hex')
  const { changes } = db
    .prepare("INSERT INTO device (key, value) VALUES ('token', ?) ON CONFLICT DO NOTHING")
    .run(fresh)
  return { token: storedToken(db) ?? fresh, isNew: changes === 1 }
}

export function storedToken(db: Db): string | undefined {
  const row = db.prepare("SELECT value FROM device WHERE key = 'token'").get()
  return row?.value as string | undefined
}
