import type { Db } from '../../db/open-store.ts'
import type { ManualTime } from '../../ports/wall-clock.ts'

/** The time a person set last, and what proves it until the next boot. */
export function createManualTimeStore(db: Db) {
  const select = db.prepare("SELECT value FROM device WHERE key = 'manual_time'")
  const upsert = db.prepare(
    `INSERT INTO device (key, value) VALUES ('manual_time', ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  )
  const remove = db.prepare("DELETE FROM device WHERE key = 'manual_time'")
  return {
    read(): ManualTime | undefined {
      const row = select.get() as { value: string } | undefined
      return row && (JSON.parse(row.value) as ManualTime)
    },
    save(time: ManualTime) {
      upsert.run(JSON.stringify(time))
    },
    clear() {
      remove.run()
    },
  }
}
