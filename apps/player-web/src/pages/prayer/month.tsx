import { PRAYER_NAMES, type PrayerName } from '@manara/player-contract/prayer-names'
import { Icon } from '@manara/ui/parts/icon'
import { useSignal, useSignalEffect } from '@preact/signals'
import { api, box, say } from '../../here.ts'
import { missingFor } from '../../stores/prayer-day.ts'
import { words } from './words.ts'

type Hijri = { day: number; month: number; year: number; month_name: string; month_name_ar: string }
type MonthTable = {
  valid: boolean
  days: { date: string; hijri: Hijri; times: Record<PrayerName, string> }[]
}

/** The timetable of a month; on paper it is one page. */
export function Month() {
  const { t, date, number, language } = say.value
  const w = words()
  const prayer = box.prayer.value
  const today = prayer?.valid ? prayer.date : new Date().toISOString().slice(0, 10)
  const shown = useSignal<string | null>(null)
  const table = useSignal<MonthTable | null>(null)
  const isFailed = useSignal(false)
  const tries = useSignal(0)
  const month = shown.value ?? today.slice(0, 7)
  useSignalEffect(() => {
    // Again when times change, another place or method is another table, and when the link is back.
    const config = box.prayer.value?.config
    const asked = shown.value ?? today.slice(0, 7)
    const [year, number] = asked.split('-')
    tries.value
    if (!config) return
    isFailed.value = false
    const isAsked = () => asked === (shown.peek() ?? asked)
    api.get<MonthTable>(`/prayer/month?year=${year}&month=${Number(number)}`).then(
      (found) => {
        if (isAsked()) table.value = found
      },
      () => {
        if (isAsked()) isFailed.value = true
      },
    )
  })
  const turn = (by: number) => () => {
    const [year = 2026, at = 1] = month.split('-').map(Number)
    // The times of one month must not stand under the name of another.
    table.value = null
    shown.value = new Date(Date.UTC(year, at - 1 + by, 1)).toISOString().slice(0, 7)
  }
  const days = table.value?.valid ? table.value.days : []
  const hijriMonths = [
    ...new Set(
      days.map(({ hijri }) => (language === 'ar' ? hijri.month_name_ar : hijri.month_name)),
    ),
  ]
  return (
    <div class="page month">
      <a class="back" href="/prayer">
        <span class="turns">
          <Icon name="chevron" />
        </span>
        {w.prayer.title}
      </a>
      <div class="page-head">
        <h1>{date(`${month}-01`, { month: 'long', year: 'numeric' })}</h1>
        <span class="month-buttons">
          <button
            type="button"
            class="button-round"
            aria-label={w.prayer.monthBefore}
            onClick={turn(-1)}
          >
            <span class="turns month-back">
              <Icon name="chevron" />
            </span>
          </button>
          <button
            type="button"
            class="button-round"
            aria-label={w.prayer.monthAfter}
            onClick={turn(1)}
          >
            <span class="turns">
              <Icon name="chevron" />
            </span>
          </button>
          <button
            type="button"
            class="button-round"
            aria-label={w.prayer.print}
            onClick={() => print()}
          >
            <Icon name="printer" />
          </button>
        </span>
      </div>
      {hijriMonths.length > 0 && <p class="month-hijri">{hijriMonths.join(' – ')}</p>}
      {table.value?.valid === false ? (
        <p class="hint">
          {prayer && missingFor(prayer) === 'clock' ? w.prayer.noTimeWhy : w.prayer.noPlaceWhy}
        </p>
      ) : isFailed.value && days.length === 0 ? (
        <div class="stack" role="alert">
          <p>{t.errors.unreachable}</p>
          <button
            type="button"
            class="button"
            onClick={() => {
              tries.value += 1
            }}
          >
            {t.again}
          </button>
        </div>
      ) : days.length === 0 ? (
        <div key="ghost" class="ghost page-ghost" aria-busy="true" />
      ) : (
        <div key="table" class="month-scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{w.prayer.day}</th>
                <th scope="col">{w.prayer.hijriDay}</th>
                {PRAYER_NAMES.map((name) => (
                  <th key={name} scope="col">
                    {t.prayers[name]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.map(({ date: day, hijri, times }) => (
                <tr key={day} aria-current={day === today ? 'date' : undefined}>
                  <th scope="row">
                    {date(day, { day: 'numeric' })}{' '}
                    <small>{t.schedules.shortDays[new Date(`${day}T12:00:00Z`).getUTCDay()]}</small>
                  </th>
                  <td>{number(hijri.day)}</td>
                  {PRAYER_NAMES.map((name) => (
                    <td key={name}>{shortTime(times[name])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}

/** Without half of the day: in a column of its own a prayer needs none. */
function shortTime(hhmm: string): string {
  const { timeOfDay } = say.value
  const is24h = box.settings.value?.time_format_24h ?? true
  return timeOfDay(hhmm, is24h).replace(/ \S+$/, '')
}
