import type { Log } from '@manara/soc-contract/siem'
import { createEventStream } from '@manara/ui/event-stream'
import { signal } from '@preact/signals'
import { api } from '../../here.ts'
import { withQuery } from '../../stores/api.ts'

/** As many lines are kept as somebody can have read. */
const MOST = 500

/** Events as they are stored; while somebody reads a line nothing moves, and that is said. */
export function createTail(filter: Record<string, string>) {
  const shown = signal<Log[]>([])
  const waiting = signal<Log[]>([])
  let isHeld = false
  const stream = createEventStream({
    open: (lastEventId, stop) =>
      api.stream('GET', withQuery('/siem/tail', filter), {
        signal: stop,
        headers: lastEventId === null ? {} : { 'last-event-id': lastEventId },
      }),
    onEvent({ event, data }) {
      if (event !== 'log') return
      const log = JSON.parse(data) as Log
      if (isHeld) waiting.value = [log, ...waiting.value].slice(0, MOST)
      else shown.value = [log, ...shown.value].slice(0, MOST)
    },
    onRefused() {},
    after(ms, then) {
      const timer = setTimeout(then, ms)
      return () => clearTimeout(timer)
    },
    random: Math.random,
  })
  return {
    shown,
    waiting,
    status: stream.status,
    start: stream.start,
    stop: stream.stop,
    hold(isOver: boolean) {
      isHeld = isOver
      if (isOver) return
      shown.value = [...waiting.value, ...shown.value].slice(0, MOST)
      waiting.value = []
    },
  }
}
