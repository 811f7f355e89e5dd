import type { PrayerConfig } from '@manara/player-contract/prayer'
import type { Db } from '../../db/open-store.ts'

const ALL_BUT_SUNRISE = 0b11_1101

const DEFAULTS: PrayerConfig = {
  lat: null,
  lng: null,
  method: 0,
  convention: null,
  custom_angles: null,
  asr_hanafi: false,
  offsets_min: [0, 0, 0, 0, 0, 0],
  high_latitude: 'middle_of_the_night',
  rounding: null,
  ramadan_isha: true,
  hijri_adjust: 0,
  adhan: { enabled: false, prayer_mask: ALL_BUT_SUNRISE, volume: 0, path: '' },
}

export type PrayerStore = ReturnType<typeof createPrayerStore>

/** Read once, kept in memory, on disk before `save` returns. */
export function createPrayerStore(db: Db) {
  const row = db.prepare('SELECT config FROM prayer WHERE id = 1').get()
  const upsert = db.prepare(
    `INSERT INTO prayer (id, config) VALUES (1, ?)
     ON CONFLICT (id) DO UPDATE SET config = excluded.config`,
  )
  let config: PrayerConfig = row ? { ...DEFAULTS, ...JSON.parse(String(row.config)) } : DEFAULTS

  return {
    config: () => config,
    save(next: PrayerConfig) {
      upsert.run(JSON.stringify(next))
      config = next
    },
  }
}
