import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Gc = (options?: { type: 'major'; flavor: 'last-resort'; execution: 'sync' }) => void

let gc: Gc | undefined

/**
 * Gives back now what V8 would carry around until the heap of this thread has doubled. Goes over it
 * once; the free pages V8 gives back by itself some seconds later, a little at a time.
 */
export function collectGarbage(): void {
  gc ??= exposed()
  gc()
}

/**
 * The same again and again until nothing more is found, and the free pages back at once: for a thread
 * that serves nobody directly.
 */
export function giveBackMemory(): void {
  gc ??= exposed()
  gc({ type: 'major', flavor: 'last-resort', execution: 'sync' })
}

function exposed(): Gc {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Gc
}
