import type { Log } from '@manara/soc-contract/siem'
import { createEventStream } from '@manara/ui/event-stream'
import { effect } from '@preact/signals'
import { api } from '../../here.ts'
import { withQuery } from '../../stores/api.ts'
import { createTailed } from './tailed.ts'
import { createTurns, type TurnWord } from './turns.ts'

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
  const others = new BroadcastChannel('tails')
  const turns = createTurns({
    id: `${Math.random()}`,
    post: (word) => others.postMessage(word),
    now: Date.now,
    after,
  })
  others.onmessage = ({ data }) => turns.told(data as TurnWord)
  let letGo = () => {}
  function follow() {
    turns.start()
    const unfollow = effect(() => {
      if (turns.isOurs.value) stream.start()
      else stream.stop()
    })
    letGo = () => {
      unfollow()
      stream.stop()
      turns.stop()
    }
  }
  let isLeft = false
  let stay = () => {}
  function look() {
    stay()
    if (document.visibilityState === 'visible') {
      if (isLeft) follow()
      isLeft = false
    } else {
      stay = after(KEPT_UNSEEN_MS, () => {
        isLeft = true
        letGo()
      })
    }
  }
  return {
    ...tailed,
    status: stream.status,
    isOurTurn: turns.isOurs,
    start() {
      document.addEventListener('visibilitychange', look)
      follow()
    },
    stop() {
      document.removeEventListener('visibilitychange', look)
      stay()
      letGo()
      others.close()
    },
  }
}
