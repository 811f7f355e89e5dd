import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { Switch } from '@manara/ui/parts/switch'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, attempt, box, notices, say } from '../../here.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { setClock } from '../../parts/set-clock.ts'
import { change } from './change.ts'
import { words } from './words.ts'

type City = {
  name: string
  name_ar: string
  country_name: string
  country_name_ar: string
  zone: string
  timezone: string
}

/** The clock is set by the phone in the hand, the zone by the name of a city. */
export function ClockSheet({ onClose }: { onClose(): void }) {
  const { t, fill } = say.value
  const w = words()
  const settings = box.settings.value
  if (!settings) return null
  return (
    <Sheet title={w.settings.clock} closeLabel={t.close} onClose={onClose}>
      <p>
        {settings.time_synced
          ? fill(w.clock.from, { s: w.clock.sources[settings.time_source] })
          : `${t.clock.unsure} ${t.clock.unsureWhy}`}
        {settings.rtc_temperature !== undefined &&
          ` ${fill(w.clock.temperature, { n: settings.rtc_temperature })}`}
      </p>
      <button type="button" class="button" data-look="line" onClick={() => void setClock()}>
        <Icon name="smartphone" />
        {t.clock.fromPhone}
      </button>
      <Switch
        label={w.clock.is24h}
        isOn={settings.time_format_24h}
        onSwitch={(time_format_24h) => void change('time-format', { time_format_24h })}
      />
      <Zone rule={settings.timezone} />
    </Sheet>
  )
}

function Zone({ rule }: { rule: string }) {
  const { language } = say.value
  const w = words()
  const wanted = useSignal('')
  const cities = useSignal<City[]>([])
  const text = wanted.value.trim()
  useEffect(() => {
    if (text === '') {
      cities.value = []
      return
    }
    const timer = setTimeout(async () => {
      const query = `/prayer/cities?limit=6&q=${encodeURIComponent(text)}`
      cities.value = (await api.get<{ cities: City[] }>(query).catch(() => ({ cities: [] }))).cities
    }, 250)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div class="stack-close">
      <h3>{w.clock.zone}</h3>
      <p class="small" dir="ltr">
        {rule}
      </p>
      <SearchField label={w.clock.zoneSearch} value={wanted} />
      {cities.value.length > 0 && (
        <ul class="rows">
          {cities.value.map((city) => (
            <li key={`${city.name} ${city.zone}`}>
              <button
                type="button"
                class="row"
                onClick={() =>
                  void attempt(async () => {
                    await api.post('/settings/timezone', { timezone: city.timezone })
                    wanted.value = ''
                    notices.done(w.clock.zoneSet)
                  })
                }
              >
                <Icon name="pin" />
                <span class="row-text">
                  <b>{language === 'ar' ? city.name_ar : city.name}</b>
                  <small>
                    {language === 'ar' ? city.country_name_ar : city.country_name}{' '}
                    <bdi>{city.zone}</bdi>
                  </small>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
