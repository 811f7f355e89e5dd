import type { PlaybackStatus } from '@manara/player-contract/playback'
import type { Target } from '@manara/player-contract/target'
import type { ButtonAction } from './domain/button-map.ts'

export type PressDeps = {
  playTarget(target: Target): Promise<void>
  stopAdhan(): Promise<unknown>
  setVolume(volume: number): Promise<unknown>
  status(): PlaybackStatus
  /** Somebody stands before the box and wants to pair a phone. Throws where the owner does not want that. */
  pair(): void
}

const VOLUME_STEP = 5

/** Does what a key or a knob means. Rejects with what a person could be told. */
export async function pressButton(
  deps: PressDeps,
  action: ButtonAction,
  times: number,
): Promise<void> {
  const { state, volume } = deps.status()
  switch (action) {
    case 'volume_up':
    case 'volume_down': {
      const by = (action === 'volume_up' ? VOLUME_STEP : -VOLUME_STEP) * times
      await deps.setVolume(Math.max(0, Math.min(100, volume + by)))
      return
    }
    case 'pair':
      return deps.pair()
    case 'stop_adhan':
      await deps.stopAdhan()
      return
    case 'play_pause': {
      const isOn = state === 'playing' || state === 'buffering'
      return deps.playTarget({ type: 'action', action: isOn ? 'pause' : 'resume' })
    }
    default:
      return deps.playTarget({ type: 'action', action })
  }
}
