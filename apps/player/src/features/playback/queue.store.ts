import type { Logger } from '@manara/kit/logging'
import type { QueueEntry } from '@manara/player-contract/queue'
import { inOneStep } from '../../db/in-one-step.ts'
import type { Db } from '../../db/open-store.ts'
import type { Track } from './domain/track.ts'

export type QueueStore = ReturnType<typeof createQueueStore>

type Row = { id: number; track: string; part: string }
/** `part` names the juz or hizb that has begun and that it belongs to; empty is what somebody queued. */
type Queued = { id: number; track: Track; part: string }

export const MOST = 500

/** Names those that a full disk has not taken; its own ids never come that far. */
const UNSAVED = 2 ** 40

/** What plays after the current one, in order; on disk before a call returns. */
export function createQueueStore(db: Db, log: Pick<Logger, 'warn'>) {
  const select = db.prepare('SELECT id, track, part FROM queue ORDER BY place, id')
  const edge = db.prepare('SELECT min(place) AS first, max(place) AS last FROM queue')
  const insert = db.prepare('INSERT INTO queue (place, track, part) VALUES (?, ?, ?)')
  const remove = db.prepare('DELETE FROM queue WHERE id = ?')
  const clear = db.prepare('DELETE FROM queue')
  let rows = (select.all() as Row[]).map(
    ({ track, ...row }): Queued => ({ ...row, track: JSON.parse(track) }),
  )
  let unsaved = UNSAVED

  const places = () => edge.get() as { first: number | null; last: number | null }

  const save = (tracks: Track[], part: string, from: number): Queued[] =>
    tracks.map((track, index) => {
      const { lastInsertRowid } = insert.run(from + index, JSON.stringify(track), part)
      return { id: Number(lastInsertRowid), track, part }
    })

  return {
    /** Behind all others; the ids of the new ones. */
    add(tracks: Track[]): number[] {
      const added = inOneStep(db, () => save(tracks, '', (places().last ?? 0) + 1))
      rows = [...rows, ...added]
      return added.map(({ id }) => id)
    },

    /**
     * Before all others: they belong to the part that has begun, and follow it also where the disk is
     * full. What was left of the same part gives way to them.
     */
    putFirst(part: string, tracks: Track[]) {
      const others = rows.filter((row) => row.part !== part)
      const kept = shortened(others, MOST - tracks.length)
      let added: Queued[]
      try {
        added = inOneStep(db, () => {
          for (const row of rows) if (!kept.includes(row)) remove.run(row.id)
          return save(tracks, part, (places().first ?? 0) - tracks.length)
        })
      } catch (error) {
        log.warn({ err: error }, 'what follows could not be kept')
        added = tracks.map((track) => ({ id: unsaved++, track, part }))
      }
      rows = [...added, ...kept]
    },

    size: () => rows.length,
    next: () => rows[0]?.track,
    all: () => rows.map((row) => ({ ...row, name: entryOf(row).track })),

    /** The next one has begun, or cannot be played. */
    take() {
      const [first] = rows
      if (!first) return
      rows = rows.slice(1)
      try {
        remove.run(first.id)
      } catch (error) {
        // On a full disk it would else begin again and again.
        log.warn({ err: error }, 'what has begun could not be taken out of the queue on disk')
      }
    },

    remove(id: number): boolean {
      const isThere = rows.some((row) => row.id === id)
      if (isThere && id < UNSAVED) remove.run(id)
      rows = rows.filter((row) => row.id !== id)
      return isThere
    },

    clear() {
      clear.run()
      rows = []
    },

    entries: (): QueueEntry[] => rows.map(entryOf),
  }
}

/** Where there are too many the last give way: of parts that have begun, and only then what somebody queued. */
function shortened(rows: Queued[], most: number): Queued[] {
  const givingWay = rows.toReversed().toSorted((a, b) => Number(!a.part) - Number(!b.part))
  const gone = new Set(givingWay.slice(0, Math.max(0, rows.length - most)))
  return rows.filter((row) => !gone.has(row))
}

const entryOf = ({ id, track }: Queued): QueueEntry => ({
  id,
  kind: track.kind,
  track: track.kind === 'file' ? track.path : track.url,
  reciter: track.kind === 'file' ? track.reciter : '',
  surah_number: track.kind === 'file' ? track.surah_number : 0,
})
