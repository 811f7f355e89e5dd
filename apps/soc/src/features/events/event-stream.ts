import type { ServerResponse } from 'node:http'
import { permissionToHear } from '@manara/soc-contract/events'
import type { Principal } from '../../core/identity/principal.ts'
import { type Audience, isSharedWith } from '../../core/identity/sharing.ts'
import type { Feed, LiveEvent } from '../../core/live/feed.ts'

// A listener that does not read is let go; it comes back with Last-Event-ID and misses nothing.
const MOST_UNREAD_BYTES = 1024 * 1024

export type EventStream = {
  /** Sends what the listener missed, then what happens. */
  start(lastEventId: number | undefined): Promise<void>
  keepAlive(): void
  end(): void
}

/** One listener's connection: events it may read, each once and in order. */
export function openEventStream(
  feed: Feed,
  principal: Principal,
  response: ServerResponse,
): EventStream {
  let unsubscribe = () => {}
  let sent = 0
  let waiting: LiveEvent[] | undefined = []
  let ended = false

  function end() {
    if (ended) return
    ended = true
    unsubscribe()
    response.end()
  }

  function write(text: string) {
    if (ended) return
    response.write(text)
    if (response.writableLength > MOST_UNREAD_BYTES) {
      end()
      response.destroy()
    }
  }

  function send({ seq, event, data }: LiveEvent) {
    if (seq <= sent) return
    sent = seq
    const permission = permissionToHear(event)
    if (!permission || !principal.permissions.has(permission)) return
    const { audience, ...told } = data as { audience?: Audience }
    if (audience && !isSharedWith(principal, audience)) return
    write(`id: ${seq}\nevent: ${event}\ndata: ${JSON.stringify(told)}\n\n`)
  }

  async function start(lastEventId: number | undefined) {
    // Subscribed before the past is read: what happens meanwhile waits behind it.
    const leave = await feed.subscribe((event) => (waiting ? waiting.push(event) : send(event)))
    unsubscribe = leave
    if (ended) return leave()
    const { oldest, newest } = await feed.range()
    sent = lastEventId ?? newest
    write(`id: ${sent}\nevent: ready\ndata: {}\n\n`)
    if (sent > newest || sent + 1 < oldest) {
      // What is asked for is not there any more: the listener has to load its lists anew.
      sent = newest
      write(`id: ${sent}\nevent: reset\ndata: {}\n\n`)
    }
    await replay()
    for (const event of waiting ?? []) send(event)
    waiting = undefined
  }

  async function replay() {
    for (;;) {
      const page = await feed.after(sent)
      if (page.length === 0 || ended) return
      for (const event of page) send(event)
    }
  }

  return { start, end, keepAlive: () => write(': keep-alive\n\n') }
}
