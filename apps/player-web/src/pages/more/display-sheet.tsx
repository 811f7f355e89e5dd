import { Choice } from '@manara/ui/parts/choice'
import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, attempt, box, say } from '../../here.ts'
import { Level } from '../../parts/level.tsx'
import { change } from './change.ts'
import { words } from './words.ts'

/** The panel of the box: its light, its language, and how it looks right now. */
export function DisplaySheet({ onClose }: { onClose(): void }) {
  const { t, percent } = say.value
  const w = words()
  const settings = box.settings.value
  const picture = useSignal<string | null>(null)
  useEffect(
    () => () => {
      if (picture.value) URL.revokeObjectURL(picture.value)
    },
    [],
  )
  if (!settings) return null
  const look = () =>
    attempt(async () => {
      const image = await api.blob('/debug/screenshot')
      if (picture.value) URL.revokeObjectURL(picture.value)
      picture.value = URL.createObjectURL(image)
    })
  const share = (value: number) => percent(Math.round((value / 255) * 100))
  return (
    <Sheet title={w.settings.display} closeLabel={t.close} onClose={onClose}>
      <div class="stack-close">
        <h3>{w.display.brightness}</h3>
        <Level
          icon="sun"
          label={w.display.brightness}
          value={settings.brightness}
          max={255}
          valueText={share}
          onSet={(brightness) =>
            void attempt(() => api.post('/settings/brightness', { brightness }))
          }
        />
      </div>
      <Choice
        label={w.display.language}
        value={settings.language}
        options={[
          { value: 'ar', label: 'العربية' },
          { value: 'en', label: 'English' },
        ]}
        onChoose={(language) => void change('language', { language })}
      />
      <button type="button" class="button" data-look="line" onClick={() => void look()}>
        <Icon name="camera" />
        {w.display.look}
      </button>
      {picture.value && <img class="panel-picture" src={picture.value} alt={w.display.picture} />}
    </Sheet>
  )
}
