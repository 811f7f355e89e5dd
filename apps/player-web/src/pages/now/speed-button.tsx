import type { PlaybackStatus } from '@manara/player-contract/playback'
import { Choice } from '@manara/ui/parts/choice'
import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { useSignal } from '@preact/signals'
import { player, say } from '../../here.ts'

/** Slower is for learning; faster is there, and comes last. */
const SPEEDS = [75, 80, 90, 100, 50, 60, 110, 125]

export function SpeedButton({ now }: { now: PlaybackStatus }) {
  const { t, fill } = say.value
  const isOpen = useSignal(false)
  const { speed = 100 } = now
  const name = (value: number) => fill(t.now.percent, { n: value })
  return (
    <>
      <button
        type="button"
        aria-pressed={speed !== 100}
        onClick={() => {
          isOpen.value = true
        }}
      >
        <Icon name="clock" />
        <span>{speed === 100 ? t.now.speed : name(speed)}</span>
      </button>
      {isOpen.value && (
        <Sheet
          title={t.now.speed}
          closeLabel={t.close}
          onClose={() => {
            isOpen.value = false
          }}
        >
          <p class="small">{t.now.speedWhy}</p>
          <Choice
            label={t.now.speed}
            isLabelHidden
            value={speed}
            options={SPEEDS.map((value) => ({ value, label: name(value) }))}
            onChoose={(next) => void player.setSpeed(next)}
          />
        </Sheet>
      )}
    </>
  )
}
