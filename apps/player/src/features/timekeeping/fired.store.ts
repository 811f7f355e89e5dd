import type { Logger } from '@manara/kit/logging'
import type { Db } from '../../db/open-store.ts'
import type { Occasion } from './domain/due.ts'

type Kept = Pick<Occasion, 'key' | 'date' | 'at'>
/** What is told apart by when it happens: its date is another one in another zone. */
type Moment = Pick<Occasion, 'key' | 'at' | 'same_ms'>

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
 * What has happened on which local date, and when; on disk before it happens, so that nothing repeats.
 * A disk that is full must not silence an adhan: then memory alone knows, until the box is switched off.
 */
export function createFiredStore(db: Db, { reportProblem, log }: FiredTrouble) {
  const rows = db.prepare('SELECT key, date, at FROM fired').all() as Kept[]
  /** When, by key and date. */
  const known = new Map<string, Map<string, number>>()
  for (const row of rows) remember(row)
  const insert = db.prepare('INSERT OR REPLACE INTO fired (key, date, at) VALUES (?, ?, ?)')
  const remove = db.prepare('DELETE FROM fired WHERE key = ? AND date = ?')
  const removeKey = db.prepare('DELETE FROM fired WHERE key = ?')
  // By age of the row, not by its date: a clock that was wrong for a while must not empty the table.
  const tidy = db.prepare(
    `DELETE FROM fired WHERE rowid <= (SELECT max(rowid) FROM fired) - ${KEEP_ROWS}`,
  )
  write(() => tidy.run())

  function remember({ key, date, at }: Kept) {
    const dates = known.get(key) ?? new Map()
    known.set(key, dates.set(date, at))
  }

  /** The dates on which it happened, as what is the same moment. */
  function same({ key, at, same_ms }: Moment): string[] {
    const happened = [...(known.get(key) ?? [])]
    return happened.flatMap(([date, then]) => (Math.abs(then - at) <= same_ms ? [date] : []))
  }

  function unmark(key: string, date: string) {
    known.get(key)?.delete(date)
    write(() => remove.run(key, date))
  }

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
    has: (occasion: Moment) => same(occasion).length > 0,

    mark({ key, date, at }: Kept) {
      remember({ key, date, at })
      write(() => insert.run(key, date, at))
    },

    /**
     * What happened on a date still to come happened by a clock that was wrong: it counts for
     * nothing. The hour is for small corrections around midnight.
     */
    forgetFuture(now: number, dateOf: (epochMs: number) => string) {
      for (const [key, dates] of known) {
        for (const [date, at] of dates) {
          if (at > now + HOUR_MS && dateOf(at) > dateOf(now)) unmark(key, date)
        }
      }
    },

    /** It is to happen once more. */
    unmark(occasion: Moment) {
      for (const date of same(occasion)) unmark(occasion.key, date)
    },

    /** A new time makes it a new thing. */
    forget(key: string) {
      removeKey.run(key)
      known.delete(key)
    },
  }
}

const inOwnersWords = ({ message }: Error) =>
  `${message}; prayers are called and schedules fire, but the box cannot write down that they did: make room in its data directory`
