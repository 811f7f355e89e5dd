import { Choice } from '@manara/ui/parts/choice'
import { Sheet } from '@manara/ui/parts/sheet'
import { Switch } from '@manara/ui/parts/switch'
import { api, attempt, box, say } from '../../here.ts'
import { Level } from '../../parts/level.tsx'
import { withValue } from '../../parts/with-value.ts'
import { change } from './change.ts'
import { words } from './words.ts'

const FADES = [0, 3, 5, 10, 20, 30]

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
        <Level
          icon="volume"
          label={w.sound.limit}
          value={settings.max_volume}
          max={100}
          valueText={number}
          onSet={(max_volume) =>
            void attempt(() => api.post('/settings/max-volume', { max_volume }))
          }
        />
      </div>
      <Choice
        label={w.sound.fadeUp}
        value={settings.fade_up_s}
        options={withValue(FADES, settings.fade_up_s).map((value) => ({
          value,
          label: value === 0 ? w.sound.atOnce : fill(t.hifz.seconds, { n: value }),
        }))}
        onChoose={(fade_up_s) => void change('fades', { fade_up_s })}
      />
      <Switch
        label={w.sound.autoResume}
        hint={w.sound.autoResumeHint}
        isOn={settings.auto_resume}
        onSwitch={(enabled) => void change('auto-resume', { enabled })}
      />
    </Sheet>
  )
}
