import { PRAYER_NAMES, type PrayerName } from '@manara/player-contract/prayer-names'
import { Icon } from '@manara/ui/parts/icon'
import { useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { api, box, say } from '../../here.ts'
import { today } from '../../parts/box-clock.ts'
import { missingFor } from '../../stores/prayer-day.ts'
import { words } from './words.ts'

type Hijri = { day: number; month: number; year: number; month_name: string; month_name_ar: string }
type Day = { date: string; hijri: Hijri; times: Record<PrayerName, string> }
type Table = { valid: boolean; days: Day[] }

/** The timetable of a month; on paper it is one page. */
export function Month() {
  const { t, date, language } = say.value
  const w = words()
  const prayer = box.prayer.value
  const chosen = useSignal<string | null>(null)
  const found = useSignal<(Table & { asked: string }) | null>(null)
  const isFailed = useSignal(false)
  const tries = useSignal(0)
  const month = useComputed(() => chosen.value ?? dateOfBox().slice(0, 7))
  useSignalEffect(() => {
    // Again when times change, another place or method is another table, and when the link is back.
    const config = box.prayer.value?.config
    const asked = month.value
    const [year, number] = asked.split('-')
    tries.value
    if (!config) return
    isFailed.value = false
    const isAsked = () => asked === month.peek()
    api.get<Table>(`/prayer/month?year=${year}&month=${Number(number)}`).then(
      (table) => {
        if (isAsked()) found.value = { ...table, asked }
      },
      () => {
        if (isAsked()) isFailed.value = true
      },
    )
  })
  const turn = (by: number) => () => {
    const [year = 2026, at = 1] = month.value.split('-').map(Number)
    chosen.value = new Date(Date.UTC(year, at - 1 + by, 1)).toISOString().slice(0, 7)
  }
  // The times of one month must not stand under the name of another.
  const table = found.value?.asked === month.value ? found.value : null
  const days = table?.valid ? table.days : []
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
        <h1>{date(`${month.value}-01`, { month: 'long', year: 'numeric' })}</h1>
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
      {table?.valid === false ? (
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
        <MonthTable key="table" days={days} />
      )}
    </div>
  )
}

/** Until it has told one, the date of the phone. */
const dateOfBox = () => (box.prayer.value?.valid ? box.prayer.value.date : today.value)

function MonthTable({ days }: { days: Day[] }) {
  const { t, date, number } = say.value
  const w = words()
  return (
    <div class="month-scroll">
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
            <tr key={day} aria-current={day === dateOfBox() ? 'date' : undefined}>
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
  )
}

/** Without half of the day: in a column of its own a prayer needs none. */
function shortTime(hhmm: string): string {
  const { timeOfDay } = say.value
  const is24h = box.settings.value?.time_format_24h ?? true
  return timeOfDay(hhmm, is24h).replace(/ \S+$/, '')
}
