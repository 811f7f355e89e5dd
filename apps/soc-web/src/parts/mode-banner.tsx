import { say, session } from '../here.ts'

/** Says what the service may not do now; nothing where everything is as usual. */
export function ModeBanner() {
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
  if (text === null) return null
  return (
    <p class="mode" data-mode={isAway ? 'unavailable' : truth.mode} role="status">
      {text}
    </p>
  )
}
