import { createEventBus } from '@manara/kit/event-bus'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { ModeBody } from '@manara/player-contract/mode'
import { openStore } from '../../../db/open-store.ts'
import { createPlayer } from '../player.ts'
import type { PlayerDeps } from '../player-deps.ts'
import { createResumeStore } from '../resume.store.ts'

type Needs = Pick<PlayerDeps, 'audio' | 'clock' | 'resolve' | 'versesOf'>

/** A player and what it tells, without the card, settings and clocks of a box around it. */
export function barePlayer(folder: string, needs: Needs) {
  const db = openStore(folder)
  const events = createEventBus<PlayerEvents>((error) => {
    throw error
  })
  const nothing = () => {}
  const kept = <Value>(value: Value) => ({ read: () => value, save: nothing })
  const player = createPlayer({
    ...needs,
    ...{ events, log: { warn: nothing } },
    resume: createResumeStore(db, Date.now),
    memory: { volume: kept(100), mode: kept<ModeBody>({ mode: 'off' }), speed: kept(100) },
    maxVolume: () => 100,
    fades: () => ({ up_ms: 0, down_ms: 0 }),
    falling: () => undefined,
    durationOf: async () => undefined,
    queue: { next: () => undefined, take: nothing },
    locate: () => undefined,
    shelf: () => undefined,
    onStarted: nothing,
    onAnnouncement: nothing,
  })
  return {
    player,
    events,
    async end() {
      await player.stop()
      db.close()
    },
  }
}
