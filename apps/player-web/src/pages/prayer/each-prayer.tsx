import type { PrayerConfig, PrayerConfigBody } from '@manara/player-contract/prayer-config'
import { Icon } from '@manara/ui/parts/icon'
import { api, attempt, say } from '../../here.ts'
import { SoundField } from './sound-field.tsx'
import { words } from './words.ts'

const CALLED = ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'] as const

type EachPrayerProps = {
  adhan: PrayerConfig['adhan']
  onSet(body: PrayerConfigBody): Promise<boolean>
}

/** Fajr with its own words, a quiet Dhuhr: what a prayer does not say for itself is as the common one. */
export function EachPrayer({ adhan, onSet }: EachPrayerProps) {
  const { t, fill } = say.value
  const w = words()
  return (
    <details class="details">
      <summary>{w.prayer.each}</summary>
      <div class="stack">
        {CALLED.map((prayer) => (
          <div key={prayer} class="stack-close">
            <SoundField
              label={t.prayers[prayer]}
              value={adhan.prayers[prayer].path ?? adhan.path}
              onSave={(path) => onSet({ adhan: { prayers: { [prayer]: { path } } } })}
            />
            <button
              type="button"
              class="button"
              data-look="plain"
              onClick={() => void attempt(() => api.post(`/prayer/test-adhan?prayer=${prayer}`))}
            >
              <Icon name="play" filled />
              {fill(w.prayer.testFor, { p: t.prayers[prayer] })}
            </button>
          </div>
        ))}
      </div>
    </details>
  )
}
