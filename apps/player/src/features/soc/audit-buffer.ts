import { randomBytes } from 'node:crypto'
import { inOneStep } from '../../db/in-one-step.ts'
import type { Db } from '../../db/open-store.ts'

export type AuditEvent = {
  event: string
  severity: 'info' | 'low' | 'medium' | 'high'
  message: string
  details?: Record<string, string | number | boolean>
}

export type WaitingEvent = { seq: number; id: string; body: Record<string, unknown> }

const MOST_KEPT = 2_000

export type AuditBuffer = ReturnType<typeof createAuditBuffer>

/** Events that the platform has not got yet: on disk, at most so many, the oldest dropped and counted. */
export function createAuditBuffer(db: Db, now: () => number | undefined) {
  const insert = db.prepare('INSERT INTO soc_events (id, body) VALUES (?, ?)')
  const dropOldest = db.prepare(
    `DELETE FROM soc_events WHERE seq <= (
       SELECT seq FROM soc_events ORDER BY seq DESC LIMIT 1 OFFSET ${MOST_KEPT})`,
  )
  const countDropped = db.prepare(
    `INSERT INTO device (key, value) VALUES ('soc_dropped', ?)
     ON CONFLICT (key) DO UPDATE SET value = CAST(value + excluded.value AS TEXT)`,
  )
  const selectDropped = db.prepare("SELECT value FROM device WHERE key = 'soc_dropped'")
  const selectCount = db.prepare('SELECT count(*) AS count FROM soc_events')
  const selectOldest = db.prepare('SELECT seq, id, body FROM soc_events ORDER BY seq LIMIT ?')
  const remove = db.prepare('DELETE FROM soc_events WHERE seq <= ?')

  return {
    add({ event, severity, message, details = {} }: AuditEvent) {
      const at = now()
      const timestamp = at === undefined ? {} : { timestamp: new Date(at).toISOString() }
      const body = { ...timestamp, event, severity, message, details }
      inOneStep(db, () => {
        insert.run(randomBytes(12).toString('hex'), JSON.stringify(body))
        const { changes } = dropOldest.run()
        if (Number(changes) > 0) countDropped.run(String(changes))
      })
    },
    count: () => (selectCount.get() as { count: number }).count,
    dropped: () => Number(selectDropped.get()?.value ?? 0),
    oldest(most: number): WaitingEvent[] {
      const rows = selectOldest.all(most) as { seq: number; id: string; body: string }[]
      return rows.map(({ seq, id, body }) => ({ seq, id, body: JSON.parse(body) }))
    },
    remove: (upTo: number) => void remove.run(upTo),
    clear() {
      db.exec("DELETE FROM soc_events; DELETE FROM device WHERE key = 'soc_dropped'")
    },
  }
}
