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

/** The box did not answer at all. */
export class Unreachable extends Error {}
/** The token was asked for and not given: nothing was done, and nothing need be said. */
export class Declined extends Error {}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Fetch = (
  url: string,
  init: { method: Method; headers: Record<string, string>; body?: string | Blob },
) => Promise<Response>

const PROTECTED_READS = ['/rfid/cards', '/rfid/scan', '/debug/screenshot']

const isProtected = (path: string) => PROTECTED_READS.includes(path) || path.startsWith('/hifz/')

/** Requests to the box. What needs the token asks for it once, then does what was asked. */
export function createApi({ fetch, access }: { fetch: Fetch; access: Access }) {
  async function send(
    method: Method,
    path: string,
    body?: object | Blob,
    more: Record<string, string> = {},
  ): Promise<Response> {
    const isRead = method === 'GET' && !isProtected(path)
    let token = isRead ? null : (access.token.value ?? (await access.ask(false)))
    for (;;) {
      if (!isRead && token === null) throw new Declined()
      const reply = await request(method, path, body, token, more)
      if (reply.status !== 401 || isRead) return reply
      access.forget()
      token = await access.ask(true)
    }
  }

  function request(
    method: Method,
    path: string,
    body: object | Blob | undefined,
    token: string | null,
    more: Record<string, string>,
  ) {
    const isBlob = body instanceof Blob
    const type = isBlob ? 'application/octet-stream' : 'application/json'
    const init = {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'content-type': type } : {}),
        ...more,
      },
      ...(body ? { body: isBlob ? body : JSON.stringify(body) } : {}),
    }
    return fetch(`/api${path}`, init).catch((cause) => {
      throw new Unreachable(String(cause), { cause })
    })
  }

  async function call<Reply>(
    method: Method,
    path: string,
    body?: object | Blob,
    more?: Record<string, string>,
  ): Promise<Reply> {
    const reply = await send(method, path, body, more)
    const answer = await reply.json().catch(() => ({}))
    if (!reply.ok) throw new Refused(reply.status, answer.error ?? `${reply.status}`)
    return answer
  }

  return {
    get: <Reply>(path: string) => call<Reply>('GET', path),
    post: <Reply>(path: string, body?: object | Blob) => call<Reply>('POST', path, body),
    put: <Reply>(path: string, body: object) => call<Reply>('PUT', path, body),
    patch: <Reply>(path: string, body: object) => call<Reply>('PATCH', path, body),
    /** The next bytes of a file, from an offset on, as the tus protocol has it. */
    append: <Reply>(path: string, bytes: Blob, offset: number) =>
      call<Reply>('PATCH', path, bytes, {
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
      }),
    remove: <Reply>(path: string) => call<Reply>('DELETE', path),
    /** Whether this is the token of the box, as far as it can be asked now. */
    takes: (token: string): Promise<boolean> =>
      request('GET', '/rfid/scan', undefined, token, {}).then(
        ({ ok }) => ok,
        () => false,
      ),
    /** For what is not JSON, such as the picture of the screen. */
    async blob(path: string): Promise<Blob> {
      const reply = await send('GET', path)
      if (!reply.ok) throw new Refused(reply.status, `${reply.status}`)
      return reply.blob()
    },
  }
}
export type Api = ReturnType<typeof createApi>
