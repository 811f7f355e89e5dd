import type { Schedule } from '@manara/player-contract/schedules'
import type { Target } from '@manara/player-contract/target'
import { Field } from '@manara/ui/parts/field'
import { Sheet } from '@manara/ui/parts/sheet'
import { Switch } from '@manara/ui/parts/switch'
import { useIsHere } from '@manara/ui/use-is-here'
import { useOnce } from '@manara/ui/use-once'
import { useSignal } from '@preact/signals'
import { api, attempt, box, say } from '../../here.ts'
import { boxClock } from '../../parts/box-clock.ts'
import { DayChoice } from '../../parts/day-choice.tsx'
import { EVERY_DAY } from '../../parts/days.ts'
import { Level } from '../../parts/level.tsx'
import { RemoveButton } from '../../parts/remove-button.tsx'
import { targetName } from '../../parts/target-name.ts'
import { likelyTarget, TargetPicker } from '../../parts/target-picker.tsx'
import { changedOnly } from '../../stores/changed-only.ts'

const two = (value: number) => String(value).padStart(2, '0')

/** When, what, done: a new one is ready to be saved as it opens. */
export function ScheduleSheet({ schedule, onClose }: { schedule?: Schedule; onClose(): void }) {
  const isHere = useIsHere()
  const { t, number } = say.value
  const time = useSignal(schedule ? `${two(schedule.hour)}:${two(schedule.minute)}` : nextHour())
  const days = useSignal(schedule?.days ?? EVERY_DAY)
  const target = useSignal<Target>(schedule?.target ?? likelyTarget())
  const volume = useSignal<number | null>(schedule?.volume ?? null)

  async function save() {
    const [hour = 0, minute = 0] = time.value.split(':').map(Number)
    const body = { hour, minute, days: days.value, target: target.value, volume: volume.value }
    const isDone = await attempt(async () => {
      if (!schedule) return isThere(body) || api.post('/schedules', body)
      const changed = changedOnly<Schedule>(schedule, body)
      if (changed) await api.patch(`/schedules/${schedule.id}`, changed)
    })
    if (isDone && isHere()) onClose()
  }

  const { busy, run } = useOnce(save)
  return (
    <Sheet
      title={schedule ? t.schedules.editTitle : t.schedules.add}
      closeLabel={t.close}
      onClose={onClose}
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <Field
          label={t.schedules.time}
          value={time.value}
          onType={(text) => {
            time.value = text
          }}
          input={{ type: 'time', required: true, dir: 'ltr' }}
        />
        <DayChoice
          label={t.schedules.on}
          days={days.value}
          onChoose={(next) => {
            days.value = next
          }}
        />
        {days.value === 0 && <p class="small">{t.schedules.onceHint}</p>}
        <TargetPicker
          label={t.schedules.what}
          target={target.value}
          onPick={(next) => {
            target.value = next
          }}
        />
        <Switch
          label={t.schedules.ownVolume}
          isOn={volume.value !== null}
          onSwitch={(isOn) => {
            volume.value = isOn ? 40 : null
          }}
        />
        {volume.value !== null && (
          <Level
            icon="volume"
            label={t.now.volume}
            value={volume.value}
            max={100}
            valueText={number}
            onSet={(next) => {
              volume.value = next
            }}
          />
        )}
        <button type="submit" class="button" data-look="main" {...busy}>
          {t.save}
        </button>
        {schedule && (
          <RemoveButton
            path={`/schedules/${schedule.id}`}
            name={targetName(schedule.target)}
            undo={() => bringBack(schedule)}
            onClose={onClose}
          />
        )}
      </form>
    </Sheet>
  )
}

/** One whose answer was lost on the way has been added all the same, and must not sound twice. */
const isThere = (body: Partial<Schedule>) =>
  box.schedules.value?.some((one) => !changedOnly(one, { ...body, enabled: true }))

async function bringBack({ hour, minute, days, target, volume, enabled }: Schedule) {
  const body = { hour, minute, days, target, volume }
  const { id } = await api.post<Schedule>('/schedules', body)
  // One that was off must not be heard because it came back.
  if (!enabled) await api.post(`/schedules/${id}/enable`, { enabled })
}

/** By the clock of the box: the phone may be in another zone. */
function nextHour() {
  const now = boxClock(box.secondsNow(Date.now()))
  return `${two((now.getUTCHours() + 1) % 24)}:00`
}
