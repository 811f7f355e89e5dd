import type { Logger } from '@manara/kit/logging'
import type { QueueEntry } from '@manara/player-contract/queue'
import { inOneStep } from '../../db/in-one-step.ts'
import type { Db } from '../../db/open-store.ts'
import type { Track } from './domain/track.ts'

export type QueueStore = ReturnType<typeof createQueueStore>

type Row = { id: number; track: string }
type Queued = { id: number; track: Track }

/** Names those that a full disk has not taken; its own ids never come that far. */
const UNSAVED = 2 ** 40

/** What plays after the current one, in order; on disk before a call returns. */
export function createQueueStore(db: Db, log: Pick<Logger, 'warn'>) {
  const select = db.prepare('SELECT id, track FROM queue ORDER BY place, id')
  const edge = db.prepare('SELECT min(place) AS first, max(place) AS last FROM queue')
  const insert = db.prepare('INSERT INTO queue (place, track) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM queue WHERE id = ?')
  const clear = db.prepare('DELETE FROM queue')
  let rows = (select.all() as Row[]).map(
    ({ id, track }): Queued => ({ id, track: JSON.parse(track) }),
  )
  let unsaved = UNSAVED

  function save(tracks: Track[], where: 'first' | 'last'): Queued[] {
    const { first, last } = edge.get() as { first: number | null; last: number | null }
    const from = where === 'last' ? (last ?? 0) + 1 : (first ?? 0) - tracks.length
    return inOneStep(db, () =>
      tracks.map((track, index) => {
        const { lastInsertRowid } = insert.run(from + index, JSON.stringify(track))
        return { id: Number(lastInsertRowid), track }
      }),
    )
  }

  return {
    /** Behind all others; the ids of the new ones. */
    add(tracks: Track[]): number[] {
      const added = save(tracks, 'last')
      rows = [...rows, ...added]
      return added.map(({ id }) => id)
    },

    /** Before all others: they belong to what has begun, and follow it also where the disk is full. */
    putFirst(tracks: Track[]) {
      let added: Queued[]
      try {
        added = save(tracks, 'first')
      } catch (error) {
        log.warn({ err: error }, 'what follows could not be kept')
        added = tracks.map((track) => ({ id: unsaved++, track }))
      }
      rows = [...added, ...rows]
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

const entryOf = ({ id, track }: { id: number; track: Track }): QueueEntry => ({
  id,
  kind: track.kind,
  track: track.kind === 'file' ? track.path : track.url,
  reciter: track.kind === 'file' ? track.reciter : '',
  surah_number: track.kind === 'file' ? track.surah_number : 0,
})
