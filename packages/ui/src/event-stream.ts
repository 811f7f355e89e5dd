import { signal } from '@preact/signals'

export type StreamEvent = { event: string; data: string; id: string | null }

/** Takes server-sent events out of text as it comes, in pieces of any size. */
export function createEventParser(onEvent: (event: StreamEvent) => void) {
  let rest = ''
  let [event, data, id]: [string, string[], string | null] = ['', [], null]

  function line(text: string) {
    if (text === '') {
      if (data.length > 0) onEvent({ event: event || 'message', data: data.join('\n'), id })
      ;[event, data] = ['', []]
      return
    }
    const colon = text.indexOf(':')
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
    else if (field === 'id') id = value
  }

  return (text: string) => {
    // A \r at the end may be half of \r\n: it waits for what follows.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const one of lines) line(one)
  }
}

/** Reads the body of an answer as events until it ends; `onWord` at all that comes, comments too. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: StreamEvent) => void,
  onWord = () => {},
) {
  const parse = createEventParser(onEvent)
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onWord()
    parse(value as unknown as string)
  }
}

export type StreamStatus = 'connecting' | 'live' | 'lost'

export type StreamDeps = {
  /** Opens the stream from the event after this one; `signal` lets go of it. */
  open(lastEventId: string | null, signal: AbortSignal): Promise<Response>
  /** `reset`: events were missed that do not come any more, so what is shown has to be read anew. */
  onEvent(event: StreamEvent): void
  /** The service refused: an error of the caller, such as a session that is over. */
  onRefused(status: number): void
  after(ms: number, then: () => void): () => void
  random(): number
}

/** The service says every 15 s that it is there: a line without a word for so long is dead. */
const SILENCE_MS = 45_000
const BACKOFF_MS = [500, 1_000, 2_000, 5_000, 10_000]

/** Live events that come back by themselves, from the last one that was heard. */
export function createEventStream(deps: StreamDeps) {
  const status = signal<StreamStatus>('connecting')
  let lastId: string | null = null
  let failures = 0
  let hasTried = false
  let cancel = () => {}
  let cancelWatch = () => {}
  let link: AbortController | undefined

  async function open() {
    cancel()
    link?.abort()
    const mine = new AbortController()
    link = mine
    // Nothing says where to go on: what happened since the first try does not come.
    let hasMissed = hasTried && lastId === null
    hasTried = true
    watch()
    try {
      const reply = await deps.open(lastId, mine.signal)
      if (mine !== link) return
      if (reply.status === 401 || reply.status === 403) {
        cancelWatch()
        return deps.onRefused(reply.status)
      }
      if (!reply.ok || !reply.body) throw new Error(`${reply.status}`)
      const onWord = () => {
        if (mine === link) watch()
      }
      const onEvent = (event: StreamEvent) => {
        if (mine !== link) return
        failures = 0
        status.value = 'live'
        if (event.id !== null) lastId = event.id
        if (hasMissed) deps.onEvent({ event: 'reset', data: '{}', id: null })
        hasMissed = false
        deps.onEvent(event)
      }
      await readEvents(reply.body, onEvent, onWord)
    } catch {
      // Told by the status below.
    }
    if (mine === link) retry()
  }

  /** A machine that slept, or a network that lets nothing through, closes no connection. */
  function watch() {
    cancelWatch()
    cancelWatch = deps.after(SILENCE_MS, () => {
      link?.abort()
      link = undefined
      retry()
    })
  }

  function retry() {
    cancelWatch()
    status.value = 'lost'
    const pause = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 0
    failures += 1
    cancel = deps.after(pause * (0.7 + 0.6 * deps.random()), () => void open())
  }

  return {
    status,
    start: () => void open(),
    /** Someone looks again, or the network is back: without waiting. */
    wake() {
      if (status.value !== 'live') void open()
    },
    stop() {
      cancel()
      cancelWatch()
      link?.abort()
      link = undefined
    },
  }
}
