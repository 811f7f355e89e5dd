import type { Memory } from '@manara/ui/preferences'
import { effect } from '@preact/signals'
import type { Box } from './box.ts'

type KeepDeps = {
  box: Box
  memory: Memory
  after(ms: number, then: () => void): () => void
  isLive(): boolean
}

const PATIENCE_MS = 1_500
const KEEP_EVERY_MS = 5_000

/** What the box said last is kept on the phone and shown, with its age, when the box cannot be reached. */
export function keepSnapshot({ box, memory, after, isLive }: KeepDeps) {
  after(PATIENCE_MS, () => {
    if (isLive()) return
    const kept = memory.getItem('snapshot')
    if (!kept) return
    try {
      box.restore(JSON.parse(kept))
    } catch {
      // Kept by another version of this page: nothing is better than something wrong.
      memory.removeItem('snapshot')
    }
  })
  let isDue = false
  effect(() => {
    if (box.heardAt.value === null || isDue) return
    isDue = true
    after(KEEP_EVERY_MS, () => {
      isDue = false
      if (isLive()) memory.setItem('snapshot', JSON.stringify(box.keepable()))
    })
  })
}
