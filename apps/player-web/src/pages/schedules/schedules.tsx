import type { Schedule } from '@manara/player-contract/schedules'
import { Empty } from '@manara/ui/parts/empty'
import { Icon } from '@manara/ui/parts/icon'
import { useSignal } from '@preact/signals'
import { api, attempt, box, reasons, say } from '../../here.ts'
import { ClockNote } from '../../parts/clock-note.tsx'
import { daysText } from '../../parts/days.ts'
import { nextText } from '../../parts/next-text.ts'
import { PageGhost } from '../../parts/page-ghost.tsx'
import { targetName } from '../../parts/target-name.ts'
import { FEW, useSearch } from '../../parts/use-search.tsx'
import { ScheduleSheet } from './schedule-sheet.tsx'
import { Week } from './week.tsx'

export function Page() {
  const { t } = say.value
  const open = useSignal<Schedule | 'new' | null>(null)
  const schedules = box.schedules.value
  const ordered = [...(schedules ?? [])].sort(
    (a, b) => a.hour * 60 + a.minute - (b.hour * 60 + b.minute),
  )
  const { found, field } = useSearch(ordered, ({ target }) => targetName(target))
  if (!schedules) return <PageGhost />
  const add = () => {
    open.value = 'new'
  }
  const edit = (schedule: Schedule) => {
    open.value = schedule
  }
  const close = () => {
    open.value = null
  }
  const week = <Week schedules={ordered} onOpen={edit} />
  return (
    <div class="page">
      <div class="page-head">
        <h1>{t.schedules.title}</h1>
        <button type="button" class="button" data-look="main" onClick={add}>
          <Icon name="plus" />
          {t.schedules.add}
        </button>
      </div>
      <ClockNote />
      {ordered.length === 0 ? (
        <Empty icon="calendar" title={t.schedules.empty} text={t.schedules.emptyWhy} />
      ) : (
        <>
          {ordered.length <= FEW ? (
            week
          ) : (
            <details class="details">
              <summary>{t.schedules.week}</summary>
              {week}
            </details>
          )}
          {field}
          <ul class="rows">
            {found.map((schedule) => (
              <ScheduleRow key={schedule.id} schedule={schedule} onOpen={() => edit(schedule)} />
            ))}
          </ul>
        </>
      )}
      {open.value === 'new' && <ScheduleSheet onClose={close} />}
      {open.value !== null && open.value !== 'new' && (
        <ScheduleSheet schedule={open.value} onClose={close} />
      )}
    </div>
  )
}

function ScheduleRow({ schedule, onOpen }: { schedule: Schedule; onOpen(): void }) {
  const { t, timeOfDay, fill } = say.value
  const is24h = box.settings.value?.time_format_24h ?? true
  const { id, hour, minute, days, target, enabled, next_fire, last_result } = schedule
  const name = targetName(target)
  const problem = last_result && last_result.outcome !== 'fired' ? last_result : undefined
  return (
    <li class="row-with-buttons" data-off={!enabled}>
      <button type="button" class="row" onClick={onOpen}>
        <b class="schedule-time">{timeOfDay(`${hour}:${minute}`, is24h)}</b>
        <span class="row-text">
          <b>
            <bdi>{name}</bdi>
          </b>
          <small>{daysText(days, t)}</small>
          {enabled && next_fire !== null && <small>{nextText(next_fire)}</small>}
          {problem && (
            <small class="bad">
              {problem.outcome === 'skipped' ? t.schedules.skipped : t.schedules.failed}{' '}
              <bdi>{reasons.meaning(problem.reason)}</bdi>
            </small>
          )}
        </span>
      </button>
      <label class="switch switch-alone">
        <span class="hidden">{fill(t.schedules.isOn, { s: name })}</span>
        <input
          type="checkbox"
          role="switch"
          aria-checked={enabled}
          checked={enabled}
          onChange={({ currentTarget }) => void switchTo(id, currentTarget.checked)}
        />
      </label>
    </li>
  )
}

/** Shown at once: the clock draws the page anew every second, which would show it as it was. */
async function switchTo(id: number, isOn: boolean) {
  const show = (enabled: boolean) =>
    box.lay({
      schedules: (box.schedules.value ?? []).map((one) =>
        one.id === id ? { ...one, enabled } : one,
      ),
    })
  show(isOn)
  const isDone = await attempt(() => api.post(`/schedules/${id}/enable`, { enabled: isOn }))
  if (!isDone) show(!isOn)
}
