import type { PrayerStatus } from '@manara/player-contract/prayer'
import { PRAYER_NAMES, type PrayerName } from '@manara/player-contract/prayer-names'
import { Icon } from '@manara/ui/parts/icon'
import { box, clock, say } from '../../here.ts'
import { currentPrayer, nextPrayer } from '../../stores/prayer-day.ts'
import { settings } from './settings.ts'
import { words } from './words.ts'

type PrayerToday = Extract<PrayerStatus, { valid: true }>

const ICONS = {
  fajr: 'dawn',
  sunrise: 'sunrise',
  dhuhr: 'sun',
  asr: 'noon',
  maghrib: 'sunset',
  isha: 'night',
} as const

export function Times({ prayer }: { prayer: PrayerToday }) {
  const { t, fill, span, date, number, language, timeOfDay } = say.value
  const w = words()
  const now = box.secondsNow(clock.value)
  const next = nextPrayer(prayer, now)
  const { day, month_name, month_name_ar, year } = prayer.hijri
  const is24h = box.settings.value?.time_format_24h ?? true
  return (
    <>
      <section class="next" aria-label={w.prayer.next}>
        {next ? (
          <>
            <p class="next-name">
              <small>{next.isNow ? w.prayer.itIsTime : w.prayer.next}</small>
              <b>{t.prayers[next.name]}</b>
            </p>
            <p class="next-time">
              <b>
                {next.isNow
                  ? t.nextPrayer.isNow
                  : fill(t.nextPrayer.until, { t: span(next.seconds) })}
              </b>
              <small>{timeOfDay(timeOf(prayer, next.name), is24h)}</small>
            </p>
          </>
        ) : (
          <p class="next-name">{t.nextPrayer.notKnown}</p>
        )}
        <p class="next-date">
          <span>
            {number(day)} {language === 'ar' ? month_name_ar : month_name} {number(year)}
          </span>
          <span>{date(prayer.date, { weekday: 'long', day: 'numeric', month: 'long' })}</span>
        </p>
        {prayer.iqama && (
          <p class="next-iqama">
            {fill(w.prayer.iqama, { t: timeOfDay(prayer.iqama.time, is24h) })}
          </p>
        )}
      </section>
      <ul class="rows times">
        {PRAYER_NAMES.map((name) => (
          <TimeRow
            key={name}
            name={name}
            prayer={prayer}
            isCurrent={next !== undefined && currentPrayer(prayer, now) === name}
          />
        ))}
      </ul>
    </>
  )
}

/** After Isha it is that of tomorrow, which is not in the table. */
const timeOf = ({ next, times }: PrayerToday, name: PrayerName) =>
  name === next.name ? next.time : times[name]

type TimeRowProps = { name: PrayerName; prayer: PrayerToday; isCurrent: boolean }

function TimeRow({ name, prayer, isCurrent }: TimeRowProps) {
  const { t, fill, timeOfDay } = say.value
  const w = words()
  const is24h = box.settings.value?.time_format_24h ?? true
  const { adhan } = settings.config.value ?? prayer.config
  const bit = 1 << PRAYER_NAMES.indexOf(name)
  const isCalled = adhan.enabled && (adhan.prayer_mask & bit) !== 0
  const toggle = () => {
    // As it is now, not as it was drawn: the bell of another prayer may just have been touched.
    const { enabled, prayer_mask } = settings.config.peek()?.adhan ?? adhan
    return settings.set({
      adhan: isCalled
        ? { prayer_mask: prayer_mask & ~bit }
        : { enabled: true, prayer_mask: (enabled ? prayer_mask : 0) | bit },
    })
  }
  return (
    <li class="row-with-buttons" data-current={isCurrent}>
      <div class="row">
        <Icon name={ICONS[name]} />
        <span class="row-text">
          <b>{t.prayers[name]}</b>
          {isCurrent && <small>{w.prayer.current}</small>}
        </span>
        <span class="times-clock">{timeOfDay(prayer.times[name], is24h)}</span>
      </div>
      {name === 'sunrise' ? (
        <span class="button-round" aria-hidden="true" />
      ) : (
        <button
          type="button"
          class="button-round star"
          aria-pressed={isCalled}
          aria-label={fill(w.prayer.adhanFor, { p: t.prayers[name] })}
          onClick={() => void toggle()}
        >
          <Icon name={isCalled ? 'bell' : 'bellOff'} />
        </button>
      )}
    </li>
  )
}
