import { z } from 'zod'
import type { Action } from './action.ts'

const Params = z.strictObject({ seconds: z.number().positive().max(604_800) })
type Params = z.infer<typeof Params>

/** Holds no process up: another one may go on afterwards. */
export function wait(now: () => Date): Action {
  return {
    effect: 'waits',
    params: Params,
    async begin(_change, { seconds }: Params) {
      const until = new Date(now().getTime() + seconds * 1_000)
      return { until, note: { until: until.toISOString() } }
    },
    async resume(_change, { seconds }: Params, note) {
      const until = new Date(String(note.until))
      return now() >= until ? { output: { waited_s: seconds } } : { until }
    },
    undo: null,
    simulate: ({ seconds }: Params) => ({ waited_s: seconds }),
  }
}
