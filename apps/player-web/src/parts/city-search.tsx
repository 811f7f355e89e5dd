import { Icon } from '@manara/ui/parts/icon'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, keepAsking, say } from '../here.ts'
import type { City } from '../stores/phone-zone.ts'
import { SearchField } from './search-field.tsx'

const REST_MS = 250
const MOST = 8

type CitySearchProps = {
  label: string
  isZoneShown?: boolean
  /** Resolves with whether it was taken. */
  onPick(city: City): Promise<boolean>
}

/** The cities that the box knows, by what somebody types in either script. */
export function CitySearch({ label, isZoneShown = false, onPick }: CitySearchProps) {
  const { t, language } = say.value
  const wanted = useSignal('')
  const cities = useSignal<City[] | null>(null)
  const text = wanted.value.trim()
  useEffect(() => {
    if (text === '') {
      cities.value = null
      return
    }
    let leave = () => {}
    const ask = async () => {
      const query = `/prayer/cities?limit=${MOST}&q=${encodeURIComponent(text)}`
      const found = await api.get<{ cities: City[] }>(query)
      if (text === wanted.peek().trim()) cities.value = found.cities
    }
    const timer = setTimeout(() => {
      leave = keepAsking(ask)
    }, REST_MS)
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [text])

  const pick = async (city: City) => {
    if (await onPick(city)) wanted.value = ''
  }

  return (
    <>
      <SearchField label={label} value={wanted} />
      {cities.value?.length === 0 && (
        <p class="hint" role="status">
          {t.noneCalled}
        </p>
      )}
      {cities.value && cities.value.length > 0 && (
        <ul class="rows">
          {cities.value.map((city) => (
            <li key={`${city.lat} ${city.lng}`}>
              <button type="button" class="row" onClick={() => void pick(city)}>
                <Icon name="pin" />
                <span class="row-text">
                  <b>{language === 'ar' ? city.name_ar : city.name}</b>
                  <small>
                    {language === 'ar' ? city.country_name_ar : city.country_name}{' '}
                    {isZoneShown && <bdi>{city.zone}</bdi>}
                  </small>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
