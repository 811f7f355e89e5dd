import { jsonIn } from '@manara/kit/json-in'
import { inOneStep } from '../../../db/in-one-step.ts'
import type { Db } from '../../../db/open-store.ts'
import type { FileStamp } from '../../../ports/card.ts'
import type { Span } from './domain/align-verses.ts'
import type { Finding } from './domain/find-verses.ts'
import type { Marks } from './domain/pin-spans.ts'

/** What was learnt of a file by listening to it once. */
export type Heard = {
  duration_ms: number
  /** Undefined when it could not be decoded, with the problem. */
  spans: Span[] | undefined
  problem: string
}

type Found = { finder: number; finding: Finding }

export type VerseStore = ReturnType<typeof createVerseStore>

// Found by another version of the finder: found again. The pauses stay.
const FINDER = 1
const MOST_FILES = 4_000

/** By path, size and time of the file: another recording under the same name has nothing of it. */
export function createVerseStore(db: Db, now: () => number) {
  const select = db.prepare(
    'SELECT * FROM heard_files WHERE path = ? AND size = ? AND mtime_ms = ?',
  )
  const insert = db.prepare(
    `INSERT OR REPLACE INTO heard_files (path, size, mtime_ms, duration_ms, spans, problem, heard_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const prune = db.prepare(
    `DELETE FROM heard_files WHERE path IN
       (SELECT path FROM heard_files ORDER BY heard_at DESC LIMIT -1 OFFSET ${MOST_FILES})`,
  )
  const writeFound = db.prepare('UPDATE heard_files SET found = ? WHERE path = ?')
  const selectMarks = db.prepare(
    'SELECT verse, start_ms FROM verse_marks WHERE path = ? AND size = ? AND mtime_ms = ?',
  )
  const insertMark = db.prepare(
    `INSERT OR REPLACE INTO verse_marks (path, verse, size, mtime_ms, start_ms)
     VALUES (?, ?, ?, ?, ?)`,
  )
  const dropOthers = db.prepare(
    'DELETE FROM verse_marks WHERE path = ? AND NOT (size = ? AND mtime_ms = ?)',
  )
  const dropMarks = db.prepare('DELETE FROM verse_marks WHERE path = ?')

  const rowOf = ({ path, size, mtime_ms }: FileStamp) => select.get(path, size, mtime_ms)

  return {
    heard(file: FileStamp): Heard | undefined {
      const row = rowOf(file)
      const spans = row && (jsonIn(row.spans) as Span[] | null | undefined)
      // What a worn disk has made unreadable is listened to again.
      if (!row || spans === undefined) return undefined
      return {
        duration_ms: Number(row.duration_ms),
        spans: spans ?? undefined,
        problem: String(row.problem),
      }
    },

    keepHeard({ path, size, mtime_ms }: FileStamp, { duration_ms, spans, problem }: Heard) {
      const text = spans ? JSON.stringify(spans) : null
      inOneStep(db, () => {
        insert.run(path, size, mtime_ms, Math.round(duration_ms), text, problem, now())
        prune.run()
      })
    },

    found(file: FileStamp): Finding | undefined {
      const found = jsonIn(rowOf(file)?.found) as Found | null | undefined
      return found?.finder === FINDER ? found.finding : undefined
    },

    keepFound({ path }: FileStamp, finding: Finding) {
      writeFound.run(JSON.stringify({ finder: FINDER, finding }), path)
    },

    marks({ path, size, mtime_ms }: FileStamp): Marks {
      const rows = selectMarks.all(path, size, mtime_ms) as { verse: number; start_ms: number }[]
      return new Map(rows.map(({ verse, start_ms }) => [verse, start_ms]))
    },

    /** What was found without the mark holds no longer. */
    mark({ path, size, mtime_ms }: FileStamp, verse: number, start_ms: number) {
      inOneStep(db, () => {
        dropOthers.run(path, size, mtime_ms)
        insertMark.run(path, verse, size, mtime_ms, start_ms)
        writeFound.run(null, path)
      })
    },

    forgetMarks({ path }: FileStamp) {
      inOneStep(db, () => {
        dropMarks.run(path)
        writeFound.run(null, path)
      })
    },
  }
}
