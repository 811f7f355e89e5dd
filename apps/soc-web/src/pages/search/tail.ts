import type { Log } from '@manara/soc-contract/siem'
import { createEventStream } from '@manara/ui/event-stream'
import { api } from '../../here.ts'
import { withQuery } from '../../stores/api.ts'
import { createTailed } from './tailed.ts'

/** Events as they are stored, until it is stopped. */
export function createTail(filter: Record<string, string>) {
  const tailed = createTailed<Log>()
  const stream = createEventStream({
    open: (_, stop) => api.stream('GET', withQuery('/siem/tail', filter), { signal: stop }),
    onEvent: ({ event, data }) => tailed.hear(event, data),
    onRefused() {},
    after(ms, then) {
      const timer = setTimeout(then, ms)
      return () => clearTimeout(timer)
    },
    random: Math.random,
  })
  return { ...tailed, status: stream.status, start: stream.start, stop: stream.stop }
}
