import type { Permission } from '@manara/soc-contract/permissions'
import type { Log } from '@manara/soc-contract/siem'
import type { TestSoc } from './test-soc.ts'

/** A key as a shipper of logs has it. */
export async function keyWith(soc: TestSoc, ...scopes: Permission[]): Promise<string> {
  const as = await soc.signIn()
  const username = `service-${scopes.join('-').replaceAll(':', '.')}`.slice(0, 60)
  await soc.call('POST', '/users', {
    as,
    body: { username, password: 'not for signing in', role: 'service' },
  })
  const made = await soc.call('POST', `/users/${username}/api-keys`, {
    as,
    body: { name: 'shipper', scopes },
  })
  return made.body.key
}

/** Stored events, newest first, as analysts see them. */
export async function logsOf(soc: TestSoc, query = ''): Promise<Log[]> {
  const { status, body } = await soc.call('GET', `/siem/logs?limit=200&${query}`, {
    as: await soc.signIn(),
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.items
}
