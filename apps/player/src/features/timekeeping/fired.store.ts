import type { Logger } from '@manara/kit/logging'
import type { Db } from '../../db/open-store.ts'
import type { Occasion } from './domain/due.ts'

type Identity = Pick<Occasion, 'key' | 'date'>

// More than a month of five adhans and twenty schedules a day.
const KEEP_ROWS = 1_000
const HOUR_MS = 3_600_000

export type FiredTrouble = {
  /** What the owner sees among the failures of the box; undefined when all is well again. */
  reportProblem(problem: string | undefined): void
  log: Pick<Logger, 'error'>
}

export type FiredStore = ReturnType<typeof createFiredStore>

/**
 * What has happened on which local date; on disk before it happens, so that nothing repeats. A disk
 * that is full must not silence an adhan: then memory alone knows, until the box is switched off.
 */
export function createFiredStore(db: Db, { reportProblem, log }: FiredTrouble) {
  const rows = db.prepare('SELECT key, date, at FROM fired').all() as Occasion[]
  const known = new Map(rows.map((row) => [identity(row), row.at]))
  const insert = db.prepare('INSERT OR REPLACE INTO fired (key, date, at) VALUES (?, ?, ?)')
  const remove = db.prepare('DELETE FROM fired WHERE key = ? AND date = ?')
  const removeKey = db.prepare('DELETE FROM fired WHERE key = ?')
  // By age of the row, not by its date: a clock that was wrong for a while must not empty the table.
  const tidy = db.prepare(
    `DELETE FROM fired WHERE rowid <= (SELECT max(rowid) FROM fired) - ${KEEP_ROWS}`,
  )
  write(() => tidy.run())

  function write(change: () => unknown) {
    try {
      change()
      reportProblem(undefined)
    } catch (error) {
      log.error({ err: error }, 'what has happened could not be written down')
      reportProblem(inOwnersWords(error as Error))
    }
  }

  return {
    has: (occasion: Identity) => known.has(identity(occasion)),

    mark({ key, date, at }: Occasion) {
      known.set(identity({ key, date }), at)
      write(() => insert.run(key, date, at))
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
        write(() => remove.run(key, date))
      }
    },

    /** It is to happen on that date once more. */
    unmark({ key, date }: Identity) {
      if (!known.delete(identity({ key, date }))) return
      write(() => remove.run(key, date))
    },

    /** A new time makes it a new thing. */
    forget(key: string) {
      removeKey.run(key)
      for (const id of known.keys()) if (id.startsWith(`${key} `)) known.delete(id)
    },
  }
}

const inOwnersWords = ({ message }: Error) =>
  `${message}; prayers are called and schedules fire, but the box cannot write down that they did: make room in its data directory`

const identity = ({ key, date }: Identity) => `${key} ${date}`
