import type { PrayerConfig } from '@manara/player-contract/prayer-config'
import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { Stepper } from '@manara/ui/parts/stepper'
import { Switch } from '@manara/ui/parts/switch'
import { api, attempt, box, say } from '../../here.ts'
import { Level } from '../../parts/level.tsx'
import { EachPrayer } from './each-prayer.tsx'
import { IqamaMinutes } from './iqama-minutes.tsx'
import { settings } from './settings.ts'
import { SoundField } from './sound-field.tsx'
import { words } from './words.ts'

/** When and how the box calls: one adhan for all, or each prayer its own. */
export function AdhanSheet({ config, onClose }: { config: PrayerConfig; onClose(): void }) {
  const { t, fill, number } = say.value
  const w = words()
  const { adhan, reminder, iqama } = config
  const { set } = settings
  const isSounding = box.playback.value?.adhan !== undefined
  return (
    <Sheet title={w.prayer.adhan} closeLabel={t.close} onClose={onClose}>
      <Switch
        label={w.prayer.adhanEnabled}
        hint={w.prayer.adhanEnabledHint}
        isOn={adhan.enabled}
        onSwitch={(enabled) => void set({ adhan: { enabled } })}
      />
      <div class="stack-close">
        <span class="small">{adhan.volume === 0 ? w.prayer.volumeKept : t.now.volume}</span>
        <Level
          icon="volume"
          label={w.prayer.adhanVolume}
          value={adhan.volume}
          max={100}
          valueText={number}
          onSet={(volume) => void set({ adhan: { volume } })}
        />
      </div>
      <SoundField
        label={w.prayer.sound}
        value={adhan.path}
        onSave={(path) => set({ adhan: { path } })}
      />
      <button
        type="button"
        class="button"
        data-look={isSounding ? 'main' : 'line'}
        onClick={() =>
          void attempt(() => api.post(isSounding ? '/prayer/stop-adhan' : '/prayer/test-adhan'))
        }
      >
        <Icon name={isSounding ? 'stop' : 'play'} filled />
        {isSounding ? t.now.stopAdhan : w.prayer.test}
      </button>
      <EachPrayer adhan={adhan} onSet={set} />
      <Switch
        label={w.prayer.reminder}
        hint={fill(w.prayer.reminderHint, { n: reminder.minutes })}
        isOn={reminder.enabled}
        onSwitch={(enabled) =>
          void set({
            reminder: { enabled, ...(reminder.prayer_mask === 0 ? { prayer_mask: 0b111101 } : {}) },
          })
        }
      />
      {reminder.enabled && (
        <Stepper
          label={w.prayer.before}
          value={reminder.minutes}
          shown={fill(t.minutes, { n: reminder.minutes })}
          min={1}
          max={120}
          lessLabel={t.less}
          moreLabel={t.more}
          onStep={(minutes) => void set({ reminder: { minutes } })}
        />
      )}
      <Switch
        label={w.prayer.iqamaEnabled}
        hint={iqama.path === null ? w.prayer.iqamaHint : w.prayer.iqamaSounds}
        isOn={iqama.enabled}
        onSwitch={(enabled) => void set({ iqama: { enabled } })}
      />
      {iqama.enabled && <IqamaMinutes minutes={iqama.minutes} />}
    </Sheet>
  )
}
