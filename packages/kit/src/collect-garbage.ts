import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let gc: (() => void) | undefined

/**
 * Gives back now what V8 would carry around until the heap of this thread has doubled. Goes over it
 * once; the free pages V8 gives back by itself some seconds later, a little at a time.
 */
export function collectGarbage(): void {
  gc ??= exposed()
  gc()
}

function exposed(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
