import { PRAYER_NAMES } from '@manara/player-contract/prayer-names'
import { Stepper } from '@manara/ui/parts/stepper'
import { say } from '../../here.ts'
import { settings } from './settings.ts'
import { words } from './words.ts'

/** How long a mosque waits after each adhan: another in Ramadan, and none where nobody comes. */
export function IqamaMinutes({ minutes }: { minutes: number[] }) {
  const { t, fill } = say.value
  const w = words()
  return (
    <div class="stack-close">
      <h3>{w.prayer.iqamaAfter}</h3>
      {PRAYER_NAMES.map((name, at) => {
        const value = minutes[at] ?? 0
        return (
          name !== 'sunrise' && (
            <Stepper
              key={name}
              label={t.prayers[name]}
              value={value}
              shown={value === 0 ? t.off : fill(t.minutes, { n: value })}
              min={0}
              max={120}
              lessLabel={t.less}
              moreLabel={t.more}
              onStep={(next) =>
                void settings.set({
                  iqama: { minutes: minutes.map((old, index) => (index === at ? next : old)) },
                })
              }
            />
          )
        )
      })}
    </div>
  )
}
