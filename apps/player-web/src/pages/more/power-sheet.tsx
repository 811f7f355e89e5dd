import { Choice } from '@manara/ui/parts/choice'
import { Icon } from '@manara/ui/parts/icon'
import { Select } from '@manara/ui/parts/select'
import { Sheet } from '@manara/ui/parts/sheet'
import { api, attempt, box, notices, say } from '../../here.ts'
import { withValue } from '../../parts/with-value.ts'
import { change } from './change.ts'
import { words } from './words.ts'

const MINUTES = [0, 5, 10, 15, 30, 60, 120, 240]
const POLICIES = ['continue', 'pause', 'stop'] as const

export function PowerSheet({ onClose }: { onClose(): void }) {
  const { t, count } = say.value
  const w = words()
  const settings = box.settings.value
  if (!settings) return null
  const { auto_off_minutes } = settings
  const sleep = () =>
    attempt(async () => {
      await api.post('/system/sleep')
      notices.done(w.power.asleep)
      onClose()
    })
  return (
    <Sheet title={w.settings.power} closeLabel={t.close} onClose={onClose}>
      <Select
        label={w.power.autoOff}
        value={auto_off_minutes}
        options={withValue(MINUTES, auto_off_minutes).map((value) => ({
          value,
          label: value === 0 ? w.power.never : count(w.power.afterMinutes, value),
        }))}
        hint={w.power.autoOffHint}
        onChoose={(value) => void change('auto-off', { auto_off_minutes: value })}
      />
      <Choice
        label={w.power.cardRemoval}
        value={settings.card_removal}
        options={POLICIES.map((value) => ({ value, label: w.power.policies[value] }))}
        onChoose={(policy) => void change('card-removal', { policy })}
      />
      <div class="stack-close">
        <button type="button" class="button" data-look="line" onClick={() => void sleep()}>
          <Icon name="moon" />
          {w.power.sleepNow}
        </button>
        <p class="small">{w.power.sleepHint}</p>
      </div>
    </Sheet>
  )
}
