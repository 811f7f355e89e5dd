import { say } from '../here.ts'
import { isOn } from './days.ts'

type DayChoiceProps = { label: string; days: number; onChoose(days: number): void }

/** Some days of the week; bit 0 is Sunday. */
export function DayChoice({ label, days, onChoose }: DayChoiceProps) {
  const { t } = say.value
  return (
    <fieldset class="choice day-choice">
      <legend>{label}</legend>
      {t.schedules.days.map((name, day) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={isOn(days, day)}
            aria-label={name}
            onChange={() => onChoose(days ^ (1 << day))}
          />
          <span aria-hidden="true">{t.schedules.shortDays[day]}</span>
        </label>
      ))}
    </fieldset>
  )
}
