import { Choice } from '@manara/ui/parts/choice'
import { Icon } from '@manara/ui/parts/icon'
import { Range } from '@manara/ui/parts/range'
import { Sheet } from '@manara/ui/parts/sheet'
import { Switch } from '@manara/ui/parts/switch'
import { api, attempt, box, say } from '../../here.ts'
import { words } from './words.ts'

// From at once to half a minute, and what the box has now.
const FADES = [0, 3, 5, 10, 20, 30]
const choices = (now: number) => [...new Set([...FADES, now])].sort((a, b) => a - b)

export function SoundSheet({ onClose }: { onClose(): void }) {
  const { t, number, fill } = say.value
  const w = words()
  const settings = box.settings.value
  if (!settings) return null
  return (
    <Sheet title={w.settings.sound} closeLabel={t.close} onClose={onClose}>
      <div class="stack-close">
        <h3>{w.sound.limit}</h3>
        <p class="small">{w.sound.limitHint}</p>
        <div class="volume" dir="ltr">
          <Icon name="volume" />
          <Range
            label={w.sound.limit}
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
      <Choice
        label={w.sound.fadeUp}
        value={settings.fade_up_s}
        options={choices(settings.fade_up_s).map((value) => ({
          value,
          label: value === 0 ? w.sound.atOnce : fill(t.hifz.seconds, { n: value }),
        }))}
        onChoose={(fade_up_s) => void attempt(() => api.post('/settings/fades', { fade_up_s }))}
      />
      <Switch
        label={w.sound.autoResume}
        hint={w.sound.autoResumeHint}
        isOn={settings.auto_resume}
        onSwitch={(enabled) => void attempt(() => api.post('/settings/auto-resume', { enabled }))}
      />
    </Sheet>
  )
}
