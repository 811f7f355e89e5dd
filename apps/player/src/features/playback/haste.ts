import { unavailable } from '@manara/kit/errors'
import type { Clock } from '../../ports/clock.ts'

/** A call to prayer waits for so long while somebody else waits for a card. */
const GRACE_MS = 3_000
const LATER = 'the call to prayer comes first, and the card was slow: try again after it'

export type Haste = ReturnType<typeof createHaste>

/** What is asked of the card gives way to a call to prayer that has waited long enough for its turn. */
export function createHaste({ after }: Pick<Clock, 'after'>) {
  const underWay = new Set<() => void>()
  let waiting = 0

  return {
    isPressing: () => waiting > 0,

    async givingWay<Value>(work: Promise<Value>): Promise<Value> {
      const { promise: calledOff, reject } = Promise.withResolvers<never>()
      const callOff = () => reject(unavailable(LATER))
      underWay.add(callOff)
      if (waiting > 0) callOff()
      return Promise.race([work, calledOff]).finally(() => underWay.delete(callOff))
    },

    /** To be called when the turn has come. */
    hurry(): () => void {
      let isPressing = false
      const cancel = after(GRACE_MS, () => {
        isPressing = true
        waiting += 1
        for (const callOff of underWay) callOff()
      })
      return () => {
        cancel()
        if (isPressing) waiting -= 1
      }
    },
  }
}
