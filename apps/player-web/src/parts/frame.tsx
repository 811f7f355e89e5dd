import { Icon, Mark } from '@manara/ui/parts/icon'
import { box, clock, live, preferences, say } from '../here.ts'
import { missingFor, nextPrayer } from '../stores/prayer-day.ts'

export function Bar() {
  const { t, language } = say.value
  const battery = box.battery.value
  return (
    <div class="bar">
      <a class="bar-name" href="/">
        <Mark />
        <b>{t.name}</b>
      </a>
      {battery?.present && <Battery percentage={battery.percentage} charging={battery.charging} />}
      <button
        type="button"
        class="bar-language"
        lang={language === 'ar' ? 'en' : 'ar'}
        onClick={() => {
          preferences.language.value = language === 'ar' ? 'en' : 'ar'
        }}
      >
        {t.otherLanguage}
      </button>
    </div>
  )
}

function Battery({ percentage, charging }: { percentage: number; charging: boolean }) {
  const { t, percent } = say.value
  return (
    <span class="bar-battery" data-low={percentage <= 15 && !charging}>
      <Icon name={charging ? 'charging' : 'battery'} />
      <span class="hidden">{t.battery}</span>
      {percent(percentage)}
    </span>
  )
}

/** The next prayer and the date: always in sight. */
export function Strip() {
  const { t, fill, span, number, language } = say.value
  const prayer = box.prayer.value
  if (!prayer) return <div class="strip" />
  if (!prayer.valid || box.settings.value?.time_synced === false) {
    return (
      <a class="strip" href="/prayer">
        <span class="strip-next">
          <Icon name="mosque" />
          {missingFor(prayer) === 'place' ? t.nextPrayer.setPlace : t.nextPrayer.setClock}
        </span>
        <span class="row-end turns">
          <Icon name="chevron" />
        </span>
      </a>
    )
  }
  const next = nextPrayer(prayer, box.secondsNow(clock.value))
  const { day, month_name, month_name_ar, year } = prayer.hijri
  return (
    <a class="strip" href="/prayer">
      <span class="strip-next">
        <Icon name="mosque" />
        {next ? (
          <>
            <b>{t.prayers[next.name]}</b>
            <span>
              {next.isNow
                ? t.nextPrayer.isNow
                : fill(t.nextPrayer.until, { t: span(next.seconds) })}
            </span>
          </>
        ) : (
          t.nextPrayer.notKnown
        )}
      </span>
      <span class="strip-date">
        {number(day)} {language === 'ar' ? month_name_ar : month_name} {number(year)}
      </span>
    </a>
  )
}

/** An update's restart takes this long at most; then something is wrong. */
const RESTART_MS = 180_000

/** Says that the link is gone, and from when what is shown is. */
export function LinkNote() {
  const { t, fill, ago } = say.value
  const heardAt = box.heardAt.value
  const isLost = live.status.value === 'lost'
  const isRestarting =
    box.ota.value?.status === 'rebooting' && clock.value - (heardAt ?? 0) < RESTART_MS
  return (
    <div class="link-note" role="status">
      {isLost && (
        <p>
          <Icon name="wifiOff" />
          <span>
            {isRestarting ? t.link.restarting : t.link.lost}
            {heardAt !== null && (
              <small>{fill(t.link.asOf, { t: ago((clock.value - heardAt) / 1000) })}</small>
            )}
          </span>
          <button type="button" onClick={live.wake}>
            {t.again}
          </button>
        </p>
      )}
    </div>
  )
}
