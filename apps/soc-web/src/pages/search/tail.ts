import type { Log } from '@manara/soc-contract/siem'
import { createEventStream } from '@manara/ui/event-stream'
import { api } from '../../here.ts'
import { withQuery } from '../../stores/api.ts'
import { createTailed } from './tailed.ts'

const SHOWN_EVERY_MS = 250
/** Who looks at something else for a moment comes back to all of it; a line is not kept for longer. */
const KEPT_UNSEEN_MS = 120_000

const after = (ms: number, then: () => void) => {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}

/** Events as they are stored, until it is stopped. */
export function createTail(filter: Record<string, string>) {
  const tailed = createTailed<Log>((then) => void after(SHOWN_EVERY_MS, then))
  const stream = createEventStream({
    open: (_, stop) => api.stream('GET', withQuery('/siem/tail', filter), { signal: stop }),
    onEvent: ({ event, data }) => tailed.hear(event, data),
    onRefused() {},
    after,
    random: Math.random,
  })
  let isLeft = false
  let stay = () => {}
  function look() {
    stay()
    if (document.visibilityState === 'visible') {
      if (isLeft) stream.start()
      isLeft = false
    } else {
      stay = after(KEPT_UNSEEN_MS, () => {
        isLeft = true
        stream.stop()
      })
    }
  }
  return {
    ...tailed,
    status: stream.status,
    start() {
      document.addEventListener('visibilitychange', look)
      stream.start()
    },
    stop() {
      document.removeEventListener('visibilitychange', look)
      stay()
      stream.stop()
    },
  }
}
