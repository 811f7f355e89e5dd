import type { EventBus } from '@manara/kit/event-bus'
import type { Logger } from '@manara/kit/logging'
import { createQueue } from '@manara/kit/queue'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { Clock } from '../../ports/clock.ts'
import type { Player } from './player.ts'

export type AutoResumeDeps = {
  player: Pick<Player, 'choices' | 'isAnnouncing' | 'resumeInterrupted' | 'wasInterrupted'>
  events: EventBus<PlayerEvents>
  clock: Pick<Clock, 'after' | 'every'>
  log: Pick<Logger, 'info'>
  /** False while the loudspeaker that the owner has chosen is not there. */
  isOutputThere(): Promise<boolean>
}

const LOOK_MS = 5_000
/** A loudspeaker that is switched on hours later is not meant for what played then. */
const OUTPUT_WAIT_MS = 15 * 60_000

/**
 * After a power cut playback goes on by itself where it was. A card or a chosen loudspeaker that comes
 * up later than the box is waited for, as long as nobody has played anything else meanwhile. Returns
 * what ends the wait.
 */
export async function autoResume(deps: AutoResumeDeps): Promise<() => void> {
  const { player, events, clock, log } = deps
  const ends: (() => void)[] = []
  const tries = createQueue()
  // The box answers before it has read its card: what was chosen meanwhile is wanted now.
  const isChosen = () => !player.wasInterrupted() || player.choices() > 0
  let isOver = isChosen()
  let lacksOutput = false
  await goOn()
  if (isOver) return endWait

  let wasAnnounced = false
  ends.push(
    clock.every(LOOK_MS, () => lacksOutput && void tries.run(goOn)),
    clock.after(OUTPUT_WAIT_MS, () => lacksOutput && endWait()),
    events.onAny(({ event, data }) => {
      if (event !== 'playback' && event !== 'library') return
      if (event === 'playback') {
        // The adhan, a reminder and an iqama come and go by themselves: nobody has chosen anything else.
        const isAnnounced = data.announcement !== undefined
        const isAboutIt = wasAnnounced || isAnnounced
        wasAnnounced = isAnnounced
        if (!isAboutIt) return endWait()
      }
      void tries.run(goOn)
    }),
  )
  return endWait

  function endWait() {
    isOver = true
    for (const end of ends.splice(0)) end()
  }

  async function goOn() {
    if (isOver) return
    lacksOutput = !(await deps.isOutputThere())
    // What resumes by itself does not cut the adhan short either: its end is another try.
    if (isOver || lacksOutput || player.isAnnouncing()) return
    try {
      await player.resumeInterrupted()
      endWait()
    } catch (error) {
      if (isChosen()) return endWait()
      log.info({ err: error }, 'cannot resume yet')
    }
  }
}
