import { configFields, type PrayerConfig } from '@manara/player-contract/prayer-config'
import type { Db } from '../../db/open-store.ts'
import { merge } from './domain/merge.ts'

const ALL_BUT_SUNRISE = 0b11_1101

const AS_THE_OTHERS = { path: null, volume: null }

export const PRAYER_DEFAULTS: PrayerConfig = {
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
  adhan: {
    enabled: false,
    prayer_mask: ALL_BUT_SUNRISE,
    volume: 0,
    path: '',
    dua_path: '',
    prayers: {
      fajr: AS_THE_OTHERS,
      dhuhr: AS_THE_OTHERS,
      asr: AS_THE_OTHERS,
      maghrib: AS_THE_OTHERS,
      isha: AS_THE_OTHERS,
    },
  },
  reminder: { enabled: false, minutes: 10, prayer_mask: ALL_BUT_SUNRISE, volume: 0, path: '' },
  iqama: { enabled: false, minutes: [20, 0, 15, 15, 10, 15], volume: 0, path: '' },
}

export type PrayerStore = ReturnType<typeof createPrayerStore>

/** Read once, kept in memory, on disk before `save` returns. */
export function createPrayerStore(db: Db) {
  const row = db.prepare('SELECT config FROM prayer WHERE id = 1').get()
  const upsert = db.prepare(
    `INSERT INTO prayer (id, config) VALUES (1, ?)
     ON CONFLICT (id) DO UPDATE SET config = excluded.config`,
  )
  // What an earlier version kept has no words for what was added since.
  const kept = row ? merge(PRAYER_DEFAULTS, JSON.parse(String(row.config))) : PRAYER_DEFAULTS
  let config = { ...kept, ...unknownAsDefault(kept) }

  return {
    config: () => config,
    save(next: PrayerConfig) {
      upsert.run(JSON.stringify(next))
      config = next
    },
  }
}

/** What a later version kept may have words that this one does not know: a convention, a rule. */
function unknownAsDefault(kept: PrayerConfig): Partial<PrayerConfig> {
  const names = Object.keys(configFields) as (keyof typeof configFields)[]
  const unknown = names.filter((name) => !configFields[name].safeParse(kept[name]).success)
  return Object.fromEntries(unknown.map((name) => [name, PRAYER_DEFAULTS[name]]))
}
