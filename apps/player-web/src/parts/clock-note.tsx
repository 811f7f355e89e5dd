import { Icon } from '@manara/ui/parts/icon'
import { box, say } from '../here.ts'
import { setClock } from './set-clock.ts'

/** A clock that nobody vouches for may look right, and yet nothing is announced by it. */
export function ClockNote() {
  const { t } = say.value
  if (box.settings.value?.time_synced !== false) return null
  return (
    <section class="trouble">
      <b>
        <Icon name="clock" />
        {t.clock.unsure}
      </b>
      <p>{t.clock.unsureWhy}</p>
      <button type="button" class="button" data-look="main" onClick={() => void setClock()}>
        <Icon name="smartphone" />
        {t.clock.fromPhone}
      </button>
    </section>
  )
}
