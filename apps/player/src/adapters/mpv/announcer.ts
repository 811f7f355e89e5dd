import type { AudioEvent, AudioState } from '../../ports/audio-output.ts'

export type Announcer = ReturnType<typeof createAnnouncer>

/** A starved cache and the device that runs dry because of it are one underrun. */
const SAME_UNDERRUN_MS = 1000

/** The state, and whoever wants to hear of it. */
export function createAnnouncer() {
  const listeners = new Set<(event: AudioEvent) => void>()
  let state: AudioState = 'stopped'
  let underruns = 0
  let lastUnderrun = Number.NEGATIVE_INFINITY

  function emit(event: AudioEvent) {
    for (const listener of listeners) listener(event)
  }

  return {
    emit,
    state: () => state,
    underruns: () => underruns,

    become(next: AudioState) {
      if (state === next) return
      state = next
      emit({ type: 'state', state })
    },

    countUnderrun() {
      const now = performance.now()
      const isSame = now - lastUnderrun < SAME_UNDERRUN_MS
      lastUnderrun = now
      if (isSame) return
      underruns += 1
      emit({ type: 'underrun', count: underruns })
    },

    onEvent(listener: (event: AudioEvent) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
