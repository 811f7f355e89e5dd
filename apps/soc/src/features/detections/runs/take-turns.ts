import { nextTurn } from '@manara/kit/turns'

const SLICE_MS = 8

/** For long work in small pieces: resolves at once, or after others were served when it is their turn. */
export function createTurns(sliceMs = SLICE_MS) {
  let ends = performance.now() + sliceMs
  return {
    isOver: () => performance.now() >= ends,
    async next() {
      if (performance.now() < ends) return
      await nextTurn()
      ends = performance.now() + sliceMs
    },
  }
}
