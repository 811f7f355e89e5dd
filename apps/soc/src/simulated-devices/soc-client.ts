import { setTimeout as pause } from 'node:timers/promises'

export type SocClient = ReturnType<typeof createSocClient>

type Reply = { status: number; retryAfterS: number; body: unknown }

/** Calls a soc as its user, and waits as long as the soc asks to. */
export function createSocClient(options: { url: string; username: string; password: string }) {
  let token: string | undefined

  async function send(method: string, path: string, body?: unknown): Promise<Reply> {
    const reply = await fetch(`${options.url}/api/v1${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const retryAfterS = Number(reply.headers.get('retry-after') ?? 1)
    return { status: reply.status, retryAfterS, body: await reply.json() }
  }

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    for (;;) {
      const { status, retryAfterS, body: answer } = await send(method, path, body)
      if (status < 300) return answer as T
      if (status === 401 && token) {
        await signIn()
      } else if (status === 429) {
        await pause(retryAfterS * 1_000)
      } else {
        throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
      }
    }
  }

  async function signIn() {
    const { username, password } = options
    token = undefined
    const { access_token } = await call<{ access_token: string }>('POST', '/auth/token', {
      username,
      password,
    })
    token = access_token
  }

  return { signIn, call }
}
