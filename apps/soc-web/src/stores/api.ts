/** What the service answered instead: `field` is what its message begins with. */
export class Refused extends Error {
  readonly status: number
  readonly field: string | undefined
  constructor(status: number, message: string) {
    super(message)
    this.status = status
    this.field = /^([\w.[\]]+): /.exec(message)?.[1]
  }
}

/** The service did not answer at all. */
export class Unreachable extends Error {}

/** In a dry run: what was asked for would have been done, and nothing was. */
export class Previewed extends Error {
  /** What would have been answered. */
  readonly answer: unknown
  constructor(answer?: unknown) {
    super()
    this.answer = answer
  }
}

/** Shows an answer that is worth reading in a dry run too, where nothing else follows from it. */
export async function evenPreviewed<Reply>(asked: Promise<Reply>, show: (reply: Reply) => void) {
  try {
    show(await asked)
  } catch (error) {
    if (error instanceof Previewed) show(error.answer as Reply)
    throw error
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export type ApiDeps = {
  fetch(url: string, init: RequestInit): Promise<Response>
  /** The session is over. Resolves with whether the same person is back: then it is asked again. */
  onSignedOut(): Promise<boolean>
  /** The service asks to wait this long; then it is asked again by itself. */
  onWait(ms: number): void
  /** The database is away, or so it seems: the mode is worth a look. */
  onUnavailable?(): void
  after(ms: number, then: () => void): void
}

export const BASE = '/api/v1'
/** Other tabs of the same person may use up a minute before this one comes to its turn. */
const MOST_WAITS = 10
const LONGEST_WAIT_MS = 60_000

export type Values = Record<string, string | number | boolean | null | undefined>

/** `/alerts` and what is asked behind it; what is empty is left out. */
export function withQuery(path: string, values: Values): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text ? `${path}?${text}` : path
}

/** What a change is about, by the first part of its path; changes of one kind keep their order. */
const kindOf = (path: string) => path.split(/[/?]/, 2)[1] ?? ''

/** Requests to the service, with the cookie of the session. */
export function createApi({ fetch, onSignedOut, onWait, onUnavailable, after }: ApiDeps) {
  /** Changes that wait, by their kind: what is sent after one waits behind it. */
  const held = new Map<string, Promise<void>>()

  /** Over at once for who no longer wants an answer. */
  function pause(reply: Response, stop?: AbortSignal | null): Promise<void> {
    const ms = Math.min(Number(reply.headers.get('retry-after') ?? 5) * 1_000, LONGEST_WAIT_MS)
    onWait(ms)
    return new Promise((resolve) => {
      stop?.addEventListener('abort', () => resolve(), { once: true })
      after(ms, resolve)
    })
  }

  async function send(method: Method, path: string, init: RequestInit = {}): Promise<Response> {
    const kind = method === 'GET' ? '' : kindOf(path)
    let hasAsked = false
    for (let waits = 0; ; waits += 1) {
      // No await without need: it would let the next one go ahead.
      if (held.has(kind)) await held.get(kind)
      const reply = await fetch(BASE + path, { ...init, method }).catch((cause) => {
        if (init.signal?.aborted) throw cause
        throw new Unreachable(String(cause), { cause })
      })
      // Nothing was done, so a change may be sent once more too.
      if (reply.status === 401 && !hasAsked && (await onSignedOut())) {
        hasAsked = true
        continue
      }
      if (reply.status === 503) onUnavailable?.()
      if (reply.status !== 429 || waits >= MOST_WAITS || !mayWait(kind, reply)) return reply
      // Nothing was done then either.
      const pausing = pause(reply, init.signal)
      if (kind) held.set(kind, pausing)
      await pausing
      if (held.get(kind) === pausing) held.delete(kind)
    }
  }

  async function call<Reply>(method: Method, path: string, body?: unknown, init?: RequestInit) {
    const reply = await send(method, path, {
      ...init,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    return answerOf<Reply>(reply)
  }

  return {
    get: <Reply>(path: string, signal?: AbortSignal) =>
      call<Reply>('GET', path, undefined, signal ? { signal } : {}),
    post: <Reply>(path: string, body?: object, signal?: AbortSignal) =>
      call<Reply>('POST', path, body, signal ? { signal } : {}),
    put: <Reply>(path: string, body: object) => call<Reply>('PUT', path, body),
    patch: <Reply>(path: string, body: object) => call<Reply>('PATCH', path, body),
    remove: <Reply>(path: string, body?: object) => call<Reply>('DELETE', path, body),
    /** Text as it is, such as a file of rules or indicators. */
    async upload<Reply>(path: string, body: string | Blob, type: string): Promise<Reply> {
      return answerOf(await send('POST', path, { body, headers: { 'content-type': type } }))
    },
    /** An answer that comes in pieces. */
    stream: send,
    /** Whether a change waits to be sent: with the tab it would be gone. */
    isHolding: () => held.size > 0,
  }
}

/** Throws where nothing was done: a record that is only shown must not be taken for one that is there. */
async function answerOf<Reply>(reply: Response): Promise<Reply> {
  const answer = await reply.json().catch(() => ({}))
  if (!reply.ok) throw new Refused(reply.status, answer.detail ?? `${reply.status}`)
  if (answer?.preview === true) throw new Previewed(answer)
  return answer as Reply
}

/** A change waits where it is said how long; who guesses at a password is told so. */
const mayWait = (kind: string, { headers }: Response) =>
  !kind ||
  (kind !== 'auth' && Number(headers.get('retry-after') ?? Infinity) * 1_000 <= LONGEST_WAIT_MS)
export type Api = ReturnType<typeof createApi>
