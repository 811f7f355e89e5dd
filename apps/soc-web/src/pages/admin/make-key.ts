import type { Permission } from '@manara/soc-contract/permissions'
import { type Api, Refused } from '../../stores/api.ts'

export type WantedKey = {
  name: string
  /** Whose it is; without one a service of the key's name is made, which has only its keys. */
  username?: string
  scopes: Permission[]
  expiresAt: Date | null
}

export async function makeKey(api: Pick<Api, 'post'>, wanted: WantedKey): Promise<string> {
  const { name, scopes, expiresAt, username = await makeService(api, name) } = wanted
  const made = await api.post<{ key: string }>(`/users/${encodeURIComponent(username)}/api-keys`, {
    ...{ name, scopes },
    ...(expiresAt ? { expires_at: expiresAt.toISOString() } : {}),
  })
  return made.key
}

/** A service that is there already, of an earlier key, gets another one. */
async function makeService(api: Pick<Api, 'post'>, name: string): Promise<string> {
  const username = `service-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`.slice(0, 64)
  // On plain http from another machine browsers have no randomUUID.
  const password = crypto.getRandomValues(new BigUint64Array(4)).join('-')
  try {
    await api.post('/users', { username, password, role: 'service' })
  } catch (error) {
    if (!(error instanceof Refused && error.status === 409)) throw error
  }
  return username
}
