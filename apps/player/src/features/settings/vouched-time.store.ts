import type { Db } from '../../db/open-store.ts'
import type { VouchedTime } from '../../ports/wall-clock.ts'

/** Who vouched for the time last, what proves it until the next boot, and whether the chip is ours. */
export function createVouchedTimeStore(db: Db) {
  const select = db.prepare('SELECT value FROM device WHERE key = ?')
  const upsert = db.prepare(
    `INSERT INTO device (key, value) VALUES (?, ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  )

  function read<Value>(key: string): Value | undefined {
    const row = select.get(key) as { value: string } | undefined
    return row && (JSON.parse(row.value) as Value)
  }

  return {
    read: () => read<VouchedTime>('vouched_time'),
    save(time: VouchedTime) {
      upsert.run('vouched_time', JSON.stringify(time))
    },
    chipSetTo: () => read<number>('chip_set_to'),
    saveChipSetTo(epoch_s: number) {
      upsert.run('chip_set_to', JSON.stringify(epoch_s))
    },
  }
}
