import { Icon } from '@manara/ui/parts/icon'
import { Range } from '@manara/ui/parts/range'
import { Sheet } from '@manara/ui/parts/sheet'
import { Switch } from '@manara/ui/parts/switch'
import { api, attempt, box, say } from '../../here.ts'

export function SoundSheet({ onClose }: { onClose(): void }) {
  const { t, number } = say.value
  const settings = box.settings.value
  if (!settings) return null
  return (
    <Sheet title={t.settings.sound} closeLabel={t.close} onClose={onClose}>
      <div class="stack-close">
        <h3>{t.sound.limit}</h3>
        <p class="small">{t.sound.limitHint}</p>
        <div class="volume" dir="ltr">
          <Icon name="volume" />
          <Range
            label={t.sound.limit}
            value={settings.max_volume}
            max={100}
            valueText={number}
            onSet={(max_volume) =>
              void attempt(() => api.post('/settings/max-volume', { max_volume }))
            }
          />
          <output>{number(settings.max_volume)}</output>
        </div>
      </div>
      <Switch
        label={t.sound.autoResume}
        hint={t.sound.autoResumeHint}
        isOn={settings.auto_resume}
        onSwitch={(enabled) => void attempt(() => api.post('/settings/auto-resume', { enabled }))}
      />
    </Sheet>
  )
}
