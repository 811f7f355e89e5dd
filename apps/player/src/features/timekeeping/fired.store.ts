import type { Db } from '../../db/open-store.ts'
import type { Occasion } from './domain/due.ts'

type Identity = Pick<Occasion, 'key' | 'date'>

// More than a month of five adhans and twenty schedules a day.
const KEEP_ROWS = 1_000
const HOUR_MS = 3_600_000

export type FiredStore = ReturnType<typeof createFiredStore>

/** What has happened on which local date; on disk before it happens, so that nothing repeats. */
export function createFiredStore(db: Db) {
  const rows = db.prepare('SELECT key, date, at FROM fired').all() as Occasion[]
  const known = new Map(rows.map((row) => [identity(row), row.at]))
  const insert = db.prepare('INSERT OR REPLACE INTO fired (key, date, at) VALUES (?, ?, ?)')
  const remove = db.prepare('DELETE FROM fired WHERE key = ? AND date = ?')
  const removeKey = db.prepare('DELETE FROM fired WHERE key = ?')
  // By age of the row, not by its date: a clock that was wrong for a while must not empty the table.
  db.prepare(`DELETE FROM fired WHERE rowid <= (SELECT max(rowid) FROM fired) - ${KEEP_ROWS}`).run()

  return {
    has: (occasion: Identity) => known.has(identity(occasion)),

    mark({ key, date, at }: Occasion) {
      insert.run(key, date, at)
      known.set(identity({ key, date }), at)
    },

    /**
     * What happened on a date still to come happened by a clock that was wrong: it counts for
     * nothing. The hour is for small corrections around midnight.
     */
    forgetFuture(now: number, dateOf: (epochMs: number) => string) {
      for (const [id, at] of known) {
        if (at <= now + HOUR_MS || dateOf(at) <= dateOf(now)) continue
        known.delete(id)
        const [key = '', date = ''] = id.split(' ')
        remove.run(key, date)
      }
    },

    /** A new time makes it a new thing. */
    forget(key: string) {
      removeKey.run(key)
      for (const id of known.keys()) if (id.startsWith(`${key} `)) known.delete(id)
    },
  }
}

const identity = ({ key, date }: Identity) => `${key} ${date}`
