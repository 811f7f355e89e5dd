import type { Db } from '../../db/open-store.ts'
import type { VouchedTime } from '../../ports/wall-clock.ts'

/** Who vouched for the time last, and what proves it until the next boot. */
export function createVouchedTimeStore(db: Db) {
  const select = db.prepare("SELECT value FROM device WHERE key = 'vouched_time'")
  const upsert = db.prepare(
    `INSERT INTO device (key, value) VALUES ('vouched_time', ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  )
  return {
    read(): VouchedTime | undefined {
      const row = select.get() as { value: string } | undefined
      return row && (JSON.parse(row.value) as VouchedTime)
    },
    save(time: VouchedTime) {
      upsert.run(JSON.stringify(time))
    },
  }
}
