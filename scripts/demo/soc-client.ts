import { setTimeout as pause } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: a client that shows what comes back, whatever it is.
export type Body = any

export type Caller = {
  call(method: string, path: string, body?: object): Promise<Body>
  text(path: string): Promise<string>
}

/** A person or a machine who talks to the soc at `address`. */
export function caller(address: string, headers: Record<string, string>): Caller {
  async function send(method: string, path: string, body?: object): Promise<Response> {
    const reply = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return reply
  }
  return {
    call: async (method, path, body) => (await send(method, path, body)).json(),
    text: async (path) => (await send('GET', path)).text(),
  }
}

/** The headers of a new session. */
export async function sessionOf(address: string, username: string, password: string) {
  const body = { username, password }
  const { access_token } = await caller(address, {}).call('POST', '/auth/token', body)
  return { authorization: `Bearer ${access_token}` }
}

export const signIn = async (address: string, username: string, password: string) =>
  caller(address, await sessionOf(address, username, password))

/** Looks again until there is something to see; a story that stands still ends with an error. */
export async function seen<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const patience = Date.now() + 60_000
  while (Date.now() < patience) {
    const found = await look()
    if (found !== undefined) return found
    await pause(200)
  }
  throw new Error(`waited a minute in vain for ${what}`)
}
