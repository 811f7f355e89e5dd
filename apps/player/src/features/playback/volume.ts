import type { EventBus } from '@manara/kit/event-bus'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { AudioOutput } from '../../ports/audio-output.ts'

type VolumeDeps = {
  audio: Pick<AudioOutput, 'setVolume' | 'snapshot'>
  events: EventBus<PlayerEvents>
  /** What the person chose; kept over restarts. */
  memory: { read(): number; save(volume: number): void }
  limit(): number
}

/** The volume that a person chose, and the one that the adhan borrows. */
export function createVolume({ audio, events, memory, limit }: VolumeDeps) {
  const own = () => Math.min(memory.read(), limit())

  return {
    own,

    /**
     * Answers what was applied. Where the present one is lent it holds at once, and what follows is
     * not louder than before: it is quieter only where the lent one was turned down below it.
     */
    async set(wanted: number, isLent = false): Promise<number> {
      const volume = Math.min(wanted, limit())
      const isTurnedDown = volume < audio.snapshot().volume
      await audio.setVolume(volume)
      if (!isLent || (isTurnedDown && volume < own())) memory.save(volume)
      events.emit('volume', { volume })
      return volume
    },

    /** A limit that has come down lowers what sounds and what is remembered. */
    async applyLimit(): Promise<void> {
      if (memory.read() > limit()) memory.save(limit())
      if (audio.snapshot().volume <= limit()) return
      await audio.setVolume(limit())
      events.emit('volume', { volume: limit() })
    },

    /** What may be lent of it. Not remembered: after a power cut the box is as loud as before. 0 keeps it. */
    lent: (volume: number) => (volume > 0 ? Math.min(volume, limit()) : own()),

    /** A source that was chosen with a volume has begun with it. */
    keep(volume: number) {
      memory.save(volume)
      events.emit('volume', { volume })
    },
  }
}
