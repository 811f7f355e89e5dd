import type { ServerResponse } from 'node:http'
import { permissionToHear } from '@manara/soc-contract/events'
import { hiding, idsIn, isHidden, withoutHidden } from '../../core/access/reader.ts'
import type { Principal } from '../../core/identity/principal.ts'
import { type Audience, isSharedWith } from '../../core/identity/sharing.ts'
import type { Feed, LiveEvent } from '../../core/live/feed.ts'
import { isRecordId } from '../../db/record-id.ts'

// A listener that does not read is let go; it comes back with Last-Event-ID and misses nothing.
const MOST_UNREAD_BYTES = 1024 * 1024

/** Which of these cases the listener may not read now. */
export type HiddenFrom = (principal: Principal, among: string[]) => Promise<ReadonlySet<string>>

/** Whom an event is for, which is not told. */
type ForSome = { audience?: Audience; cases_named?: string[] }

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
  hiddenFrom: HiddenFrom,
): EventStream {
  let unsubscribe = () => {}
  let sent = 0
  let waiting: LiveEvent[] | undefined = []
  let ended = false
  let telling: Promise<void> = Promise.resolve()

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
    const { audience, cases_named = [], ...told } = data as ForSome
    if (audience && !isSharedWith(principal, audience)) return
    const tell = (what: object) =>
      write(`id: ${seq}\nevent: ${event}\ndata: ${JSON.stringify(what)}\n\n`)
    const named = [...casesIn(event, told), ...cases_named]
    // In order, also when one has to be asked about.
    telling = telling.then(async () => {
      const hidden = named.length > 0 ? await hiddenFrom(principal, named) : undefined
      const heard = hidden?.size ? hiding(hidden, () => withoutCases(event, told)) : told
      if (heard) tell(heard)
    })
    telling.catch(() => {
      end()
      response.destroy()
    })
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
    await telling
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

/** What is left of an event that names hidden cases; nothing of one that is about them. */
function withoutCases(event: string, told: object): object | undefined {
  // An alert is the team's, also when its case is not.
  if (event.startsWith('alert.')) return { ...told, case_id: null }
  const { id, action } = told as Record<string, unknown>
  // So is what happened in a case that may be read.
  const isNoted = event === 'case.updated' && typeof action === 'string'
  if (isNoted && !isHidden(String(id))) return { ...told, action: withoutHidden(action) }
}

/** The cases that an event is about, or names. */
function casesIn(event: string, data: object): string[] {
  const { id, case_id, case_ids, action, cites } = data as Record<string, unknown>
  const own = event.startsWith('case.') ? [id] : []
  // What was done, in words, may name another.
  const said = own.length > 0 && typeof action === 'string' ? idsIn(action) : []
  const nested = [action, cites].flatMap((part) => {
    const { case_id: one, case_ids: more } = (part ?? {}) as Record<string, unknown>
    return [one, more].flat()
  })
  return [...own, case_id, case_ids, said, ...nested].flat().filter(isId)
}

const isId = (id: unknown): id is string => typeof id === 'string' && isRecordId(id)
