import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Gc = (options?: { type: 'major'; flavor: 'last-resort'; execution: 'sync' }) => void

let gc: Gc | undefined

/** Gives back now what V8 would carry around until the heap of this thread has doubled. */
export function collectGarbage(): void {
  gc ??= exposed()
  gc()
}

/** The same until nothing more is found, and the free pages back to the system: takes longer. */
export function giveBackMemory(): void {
  gc ??= exposed()
  gc({ type: 'major', flavor: 'last-resort', execution: 'sync' })
}

function exposed(): Gc {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Gc
}
