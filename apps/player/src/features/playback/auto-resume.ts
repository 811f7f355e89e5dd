import type { EventBus } from '@manara/kit/event-bus'
import type { Logger } from '@manara/kit/logging'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { Player } from './player.ts'

export type AutoResumeDeps = {
  player: Player
  events: EventBus<PlayerEvents>
  log: Pick<Logger, 'info'>
}

/**
 * After a power cut playback goes on by itself where it was. A card that comes up later than the
 * box is waited for, as long as nobody has played anything else meanwhile.
 */
export async function autoResume({ player, events, log }: AutoResumeDeps): Promise<void> {
  if (!player.wasInterrupted() || (await resumed())) return
  let wasAnnounced = false
  const endWait = events.onAny(({ event, data }) => {
    if (event !== 'playback' && event !== 'library') return
    if (event === 'playback') {
      // The adhan, a reminder and an iqama come and go by themselves: nobody has chosen anything else.
      const isAnnounced = data.announcement !== undefined
      const isAboutIt = wasAnnounced || isAnnounced
      wasAnnounced = isAnnounced
      if (!isAboutIt) return endWait()
    }
    // What resumes by itself does not cut the adhan short either: its end is another try.
    if (player.isAnnouncing()) return
    void resumed().then((isDone) => isDone && endWait())
  })

  async function resumed(): Promise<boolean> {
    try {
      await player.resumeSaved()
      return true
    } catch (error) {
      log.info({ err: error }, 'cannot resume yet')
      return false
    }
  }
}
