import type { Access } from './access.ts'

/** What the box answered instead: `field` is what its message begins with. */
export class Refused extends Error {
  readonly status: number
  readonly field: string | undefined
  constructor(status: number, message: string) {
    const [, field] = /^([\w.[\]]+): /.exec(message) ?? []
    super(message)
    this.status = status
    this.field = field
  }
}

/** The box did not answer at all, or its answer broke off. */
export class Unreachable extends Error {}
/** The token was asked for and not given: nothing was done, and nothing need be said. */
export class Declined extends Error {}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Fetch = (
  url: string,
  init: {
    method: Method
    headers: Record<string, string>
    body?: string | Blob
    signal: AbortSignal
  },
) => Promise<Response>

type ApiDeps = {
  fetch: Fetch
  access: Access
  after(ms: number, then: () => void): () => void
}

const PROTECTED_READS = ['/rfid/cards', '/rfid/scan', '/debug/screenshot', '/backup']

// A line that dies without a word leaves a browser waiting for minutes.
const ANSWER_MS = 20_000
const SLOW_MS = 120_000
/** What takes the box long itself: it joins a network, or reads a whole card or backup. */
const SLOW = ['/settings/wifi', '/library/rescan', '/ota/pull', '/backup']
/** The slowest line that a file is sent over. */
const BYTES_PER_MS = 20

type Asked = {
  method: Method
  path: string
  body?: object | Blob | undefined
  headers?: Record<string, string>
}

function patience({ path, body }: Asked): number {
  const own = SLOW.includes(path) ? SLOW_MS : ANSWER_MS
  return body instanceof Blob ? SLOW_MS + body.size / BYTES_PER_MS : own
}

const needsToken = ({ method, path }: Asked) =>
  method !== 'GET' || PROTECTED_READS.includes(path) || path.startsWith('/hifz/')

type Answer<Reply> = { reply: Response; answer: Reply }
type Read<Reply> = (reply: Response) => Promise<Reply>

/** Of a refusal its status is enough. */
const readJson = (reply: Response) => (reply.ok ? reply.json() : reply.json().catch(() => ({})))

/** Requests to the box. What needs the token asks for it once, then does what was asked. */
export function createApi({ fetch, access, after }: ApiDeps) {
  async function send<Reply>(asked: Asked, read: Read<Reply>): Promise<Answer<Reply>> {
    if (!needsToken(asked)) return request(asked, read, null)
    let token = access.token.value ?? (await access.ask())
    for (;;) {
      if (token === null) throw new Declined()
      const answered = await request(asked, read, token)
      if (answered.reply.status !== 401) return answered
      // Of several that went out with a wrong one, the last is answered after the right one is here.
      const isOther = access.token.value !== null && access.token.value !== token
      if (!isOther) access.forget()
      token = isOther ? access.token.value : await access.ask({ isWrong: true })
    }
  }

  async function request<Reply>(
    asked: Asked,
    read: Read<Reply>,
    token: string | null,
  ): Promise<Answer<Reply>> {
    const { method, path, body, headers } = asked
    const isBlob = body instanceof Blob
    const type = isBlob ? 'application/octet-stream' : 'application/json'
    const hangUp = new AbortController()
    const init = {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'content-type': type } : {}),
        ...headers,
      },
      ...(body ? { body: isBlob ? body : JSON.stringify(body) } : {}),
      signal: hangUp.signal,
    }
    const cancel = after(patience(asked), () => hangUp.abort())
    try {
      const reply = await fetch(`/api${path}`, init)
      return { reply, answer: await read(reply) }
    } catch (cause) {
      throw new Unreachable(String(cause), { cause })
    } finally {
      cancel()
    }
  }

  async function call<Reply>(asked: Asked): Promise<Reply> {
    const { reply, answer } = await send(asked, readJson)
    if (!reply.ok) throw new Refused(reply.status, answer.error ?? `${reply.status}`)
    return answer
  }

  return {
    get: <Reply>(path: string) => call<Reply>({ method: 'GET', path }),
    post: <Reply>(path: string, body?: object | Blob) =>
      call<Reply>({ method: 'POST', path, body }),
    put: <Reply>(path: string, body: object) => call<Reply>({ method: 'PUT', path, body }),
    patch: <Reply>(path: string, body: object) => call<Reply>({ method: 'PATCH', path, body }),
    /** The next bytes of a file, from an offset on, as the tus protocol has it. */
    append: <Reply>(path: string, bytes: Blob, offset: number) =>
      call<Reply>({
        method: 'PATCH',
        path,
        body: bytes,
        headers: {
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(offset),
        },
      }),
    remove: <Reply>(path: string) => call<Reply>({ method: 'DELETE', path }),
    /** Whether this is the token of the box, as far as it can be asked now. */
    takes: (token: string): Promise<boolean> =>
      request({ method: 'GET', path: '/rfid/scan' }, readJson, token).then(
        ({ reply }) => reply.ok,
        () => false,
      ),
    /** For what is not JSON, such as the picture of the screen. */
    async blob(path: string): Promise<Blob> {
      const { reply, answer } = await send({ method: 'GET', path }, (reply) => reply.blob())
      if (!reply.ok) throw new Refused(reply.status, `${reply.status}`)
      return answer
    },
  }
}
export type Api = ReturnType<typeof createApi>
