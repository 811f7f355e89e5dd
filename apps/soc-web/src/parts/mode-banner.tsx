import type { Demonstration } from '@manara/soc-contract/demonstration'
import { comingBack, isLost, say, session } from '../here.ts'
import { useRead } from './use-read.ts'

/** Says what is not as usual: a connection that is lost, and what the service may not do now. */
export const Banners = () => (
  <>
    {comingBack.isOver.value && (
      <p class="mode" data-mode="unavailable" role="status">
        {say.value.t.back.soon}
      </p>
    )}
    {isLost.value && (
      <p class="mode" data-mode="unavailable" role="status">
        {say.value.t.mode.lost}
      </p>
    )}
    <ModeBanner />
  </>
)

function ModeBanner() {
  const truth = session.truth.value
  if (!truth) return null
  const { mode } = say.value.t
  const isAway = !truth.is_database_available
  const text =
    truth.read_data_source === 'unavailable'
      ? mode.unavailable
      : isAway && truth.uses_showcase_data
        ? mode.showcaseInstead
        : truth.mode === 'real'
          ? null
          : mode[truth.mode]
  if (text === null) return <DemonstrationRibbon />
  return (
    <p class="mode" data-mode={isAway ? 'unavailable' : truth.mode} role="status">
      {text}
    </p>
  )
}

/** Numbers with invented records among them say so on every page. */
function DemonstrationRibbon() {
  const { t, fill } = say.value
  const { data } = useRead<Demonstration>('/demonstration', { on: ['demonstration'] })
  if (!data || data.status === 'none') return null
  return (
    <p class="mode" data-mode="dummy" role="status">
      {fill(t.mode.demonstration, { alerts: data.alerts })}{' '}
      <a class="link" href="/start">
        {t.mode.demonstrationGo}
      </a>
    </p>
  )
}
