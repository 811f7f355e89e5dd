import type { Target } from '@manara/player-contract/target'
import { actionOf, type ButtonMap } from '../features/buttons/domain/button-map.ts'
import { pressButton } from '../features/buttons/press-button.ts'
import type { Player } from '../features/playback/player.ts'
import type { Buttons } from '../ports/buttons.ts'
import type { Outside } from './area.ts'

export type ButtonParts = { map: ButtonMap; buttons: Buttons }

type ButtonNeeds = {
  player: Player
  playTarget(target: Target): Promise<void>
  pair(): void
}

/** Keys and knobs, where some were named. */
export function composeButtons(
  { log, problems }: Outside,
  parts: ButtonParts | undefined,
  { player, playTarget, pair }: ButtonNeeds,
) {
  const deps = { ...player, playTarget, pair }
  let work = Promise.resolve()

  return {
    routes() {},
    start() {
      parts?.buttons.start(
        (device, event) => {
          const wanted = actionOf(parts.map.get(device) ?? new Map(), event)
          if (!wanted) return
          work = work
            .then(() => pressButton(deps, wanted.action, wanted.times))
            .catch((error) => log.warn({ err: error, ...wanted }, 'a button came to nothing'))
        },
        (problem) => problems.report('buttons', problem),
      )
    },
    settled: () => work,
    stop: () => parts?.buttons.stop(),
  }
}
