import type { Db } from '../../db/open-store.ts'

/** `ends_at` is by the clock on the wall, in Unix milliseconds: time goes on while the box is off. */
export type KeptTimer = { ends_at: number; length_ms: number; fade_s: number }

export type SleepTimerStore = ReturnType<typeof createSleepTimerStore>

export function createSleepTimerStore(db: Db) {
  const select = db.prepare('SELECT ends_at, length_ms, fade_s FROM sleep_timer')
  const upsert = db.prepare(
    `INSERT INTO sleep_timer (id, ends_at, length_ms, fade_s) VALUES (1, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET ends_at = excluded.ends_at,
       length_ms = excluded.length_ms, fade_s = excluded.fade_s`,
  )
  const remove = db.prepare('DELETE FROM sleep_timer')

  return {
    read: () => select.get() as KeptTimer | undefined,
    save({ ends_at, length_ms, fade_s }: KeptTimer) {
      upsert.run(Math.round(ends_at), Math.round(length_ms), Math.round(fade_s))
    },
    clear() {
      remove.run()
    },
  }
}
