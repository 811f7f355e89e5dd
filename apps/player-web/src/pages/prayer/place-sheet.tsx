import type { PrayerConfigBody } from '@manara/player-contract/prayer-config'
import { Field } from '@manara/ui/parts/field'
import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { useIsHere } from '@manara/ui/use-is-here'
import { useSignal } from '@preact/signals'
import { api, attempt, box, notices, say } from '../../here.ts'
import { CitySearch } from '../../parts/city-search.tsx'
import { moveBox, readDegrees } from '../../stores/move-box.ts'
import { findZone } from '../../stores/phone-zone.ts'
import { words } from './words.ts'

/** What a box has whose zone nobody has chosen yet. */
const UNSET_ZONE = 'UTC0'

/** Where the box stands: as the phone knows it, by name of the city, or as two numbers. */
export function PlaceSheet({ onClose }: { onClose(): void }) {
  const isHere = useIsHere()
  const { t } = say.value
  const w = words()
  const isLocating = useSignal(false)
  const isFirst = box.prayer.value?.config.lat === null

  const use = async (place: PrayerConfigBody, timezone?: string) => {
    const before = box.settings.value?.timezone
    const isDone = await attempt(() => moveBox(api, { place, timezone, before }))
    if (isDone && isHere()) onClose()
    return isDone
  }

  /** The later Asr where it is usual, at first; then it is the owner's choice, wherever the box goes. */
  const school = (usual?: { asr_hanafi?: boolean }) =>
    isFirst && usual?.asr_hanafi && { asr_hanafi: true }

  /** The phone is where the box is, so its clock is right there; at first also what people go by. */
  async function usePhone(place: PrayerConfigBody) {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    const zone = await findZone(api, timeZone, Date.now()).catch(() => undefined)
    const { method, convention = null } = zone ?? {}
    const usual = isFirst && method !== undefined && { method, convention }
    const isDone = await use({ ...place, ...usual, ...school(zone) }, zone?.timezone)
    if (isDone && !zone) notices.problem(w.prayer.zoneStays)
  }

  function locate() {
    isLocating.value = true
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        isLocating.value = false
        const round = (value: number) => Math.round(value * 1e4) / 1e4
        void usePhone({ lat: round(coords.latitude), lng: round(coords.longitude) })
      },
      () => {
        isLocating.value = false
        notices.problem(w.prayer.noLocation)
      },
      { timeout: 15_000, maximumAge: 600_000 },
    )
  }

  return (
    <Sheet title={w.prayer.place} closeLabel={t.close} onClose={onClose}>
      {'geolocation' in navigator && isSecureContext && (
        <button
          type="button"
          class="button"
          data-look="main"
          disabled={isLocating.value}
          onClick={locate}
        >
          <Icon name="locate" />
          {isLocating.value ? w.prayer.locating : w.prayer.usePhone}
        </button>
      )}
      <CitySearch
        label={w.prayer.searchCity}
        onPick={(city) => {
          const { lat, lng, method, convention = null } = city
          return use({ lat, lng, method, convention, ...school(city) }, city.timezone)
        }}
      />
      <Coordinates
        onUse={(lat, lng) => {
          const isUnset = box.settings.value?.timezone === UNSET_ZONE
          void (isUnset ? usePhone : use)({ lat, lng })
        }}
      />
    </Sheet>
  )
}

function Coordinates({ onUse }: { onUse(lat: number, lng: number): void }) {
  const { t } = say.value
  const w = words()
  const lat = useSignal('')
  const lng = useSignal('')
  const isFine = (text: string, most: number) => Math.abs(readDegrees(text)) <= most
  const canUse = isFine(lat.value, 90) && isFine(lng.value, 180)
  return (
    <details class="details">
      <summary>{w.prayer.byNumbers}</summary>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (canUse) onUse(readDegrees(lat.value), readDegrees(lng.value))
        }}
      >
        <div class="pair">
          <Field
            label={w.prayer.latitude}
            value={lat.value}
            onType={(text) => {
              lat.value = text
            }}
            input={{ dir: 'ltr', autocomplete: 'off', placeholder: '30.0444' }}
          />
          <Field
            label={w.prayer.longitude}
            value={lng.value}
            onType={(text) => {
              lng.value = text
            }}
            input={{ dir: 'ltr', autocomplete: 'off', placeholder: '31.2357' }}
          />
        </div>
        <button type="submit" class="button" disabled={!canUse}>
          {t.apply}
        </button>
      </form>
    </details>
  )
}
