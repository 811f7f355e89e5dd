import type { Db } from '../../db/open-store.ts'
import type { Track } from './domain/track.ts'

/** Where playback was. `playing` tells a power cut from a stop: only the former resumes by itself. */
export type ResumePoint = {
  track: Track
  position_ms: number
  repeat_done: number
  playing: boolean
}

export type ResumeStore = ReturnType<typeof createResumeStore>

/** Remembered beside the database too: a disk that is full keeps nobody from going on in this life. */
export function createResumeStore(db: Db, now: () => number) {
  const select = db.prepare('SELECT source, position_ms FROM resume WHERE id = 1')
  const upsert = db.prepare(
    `INSERT INTO resume (id, source, position_ms, saved_at) VALUES (1, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET source = excluded.source,
       position_ms = excluded.position_ms, saved_at = excluded.saved_at`,
  )
  const remove = db.prepare('DELETE FROM resume')
  let point = stored()

  function stored(): ResumePoint | undefined {
    const row = select.get() as { source: string; position_ms: number } | undefined
    return row && { ...JSON.parse(row.source), position_ms: row.position_ms }
  }

  return {
    exists: () => point !== undefined,
    read: () => point,

    save(place: ResumePoint) {
      point = { ...place, position_ms: Math.round(place.position_ms) }
      const { position_ms, ...source } = point
      upsert.run(JSON.stringify(source), position_ms, Math.round(now()))
    },

    clear() {
      point = undefined
      remove.run()
    },
  }
}
