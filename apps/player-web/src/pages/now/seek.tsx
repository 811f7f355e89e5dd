import type { PlaybackStatus } from '@manara/player-contract/playback'
import { Range } from '@manara/ui/parts/range'
import { useSignal } from '@preact/signals'
import { player, say } from '../../here.ts'

/** Time runs from left to right in every language. */
export function Seek({ now }: { now: PlaybackStatus }) {
  const { t, clock } = say.value
  const held = useSignal<number | null>(null)
  const { position, duration } = now
  return (
    <div class="seek" dir="ltr">
      <Range
        label={t.now.position}
        value={position}
        max={Math.max(1, duration)}
        step={1_000}
        valueText={clock}
        disabled={duration === 0 || now.announcement !== undefined}
        onSet={(to) => void player.seek(to)}
        onShow={(value) => {
          held.value = value
        }}
      />
      <span>{clock(held.value ?? position)}</span>
      <span>{clock(duration)}</span>
    </div>
  )
}
