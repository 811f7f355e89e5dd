import type { Schedule } from '@manara/player-contract/schedules'
import { box, clock, say } from '../../here.ts'
import { boxClock } from '../../parts/box-clock.ts'
import { isOn } from '../../parts/days.ts'
import { shortTargetName } from '../../parts/target-name.ts'

// A week begins with Saturday where Arabic is spoken, and with Sunday for the bits of a schedule.
const ORDER = { ar: [6, 0, 1, 2, 3, 4, 5], en: [0, 1, 2, 3, 4, 5, 6] }

/** The week as seven columns, each with what is heard in it. */
export function Week({
  schedules,
  onOpen,
}: {
  schedules: Schedule[]
  onOpen(one: Schedule): void
}) {
  const { t, language, timeOfDay } = say.value
  const is24h = box.settings.value?.time_format_24h ?? true
  const today = boxClock(box.secondsNow(clock.value)).getUTCDay()
  return (
    <section class="week" aria-label={t.schedules.week}>
      {ORDER[language].map((day) => (
        <div key={day} data-today={day === today}>
          <h2>
            <span aria-hidden="true">{t.schedules.shortDays[day]}</span>
            <span class="hidden">{t.schedules.days[day]}</span>
          </h2>
          <ul>
            {schedules
              .filter((schedule) => schedule.enabled && isHeardOn(schedule, day))
              .map((schedule) => (
                <li key={schedule.id}>
                  <button type="button" onClick={() => onOpen(schedule)}>
                    <b>{timeOfDay(`${schedule.hour}:${schedule.minute}`, is24h)}</b>
                    <span>{shortTargetName(schedule.target)}</span>
                  </button>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

/** What sounds once has no day of its own: it is that of the next time. */
const isHeardOn = ({ days, next_fire }: Schedule, day: number) =>
  days === 0 ? next_fire !== null && boxClock(next_fire).getUTCDay() === day : isOn(days, day)
