import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { Switch } from '@manara/ui/parts/switch'
import { api, attempt, box, notices, say } from '../../here.ts'
import { CitySearch } from '../../parts/city-search.tsx'
import { setClock } from '../../parts/set-clock.ts'
import { change } from './change.ts'
import { words } from './words.ts'

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
  const w = words()
  const take = (timezone: string) =>
    attempt(async () => {
      await api.post('/settings/timezone', { timezone })
      notices.done(w.clock.zoneSet)
    })
  return (
    <div class="stack-close">
      <h3>{w.clock.zone}</h3>
      <p class="small" dir="ltr">
        {rule}
      </p>
      <CitySearch
        label={w.clock.zoneSearch}
        isZoneShown
        onPick={({ timezone }) => take(timezone)}
      />
    </div>
  )
}
