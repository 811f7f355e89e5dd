import path from 'node:path'
import type { TestContext } from 'node:test'
import { mainOf, processFixture } from '@manara/kit/testing/service-process'
import pg from 'pg'
import { testDatabase } from './test-postgres.ts'
import { ADMIN_PASSWORD } from './test-soc.ts'

const MAIN = mainOf('soc')

export type SocProcess = Awaited<ReturnType<Awaited<ReturnType<typeof socProcesses>>>>

/** The real program, as often as wanted, on one database that outlives them; `name` is its folder. */
export async function socProcesses(
  t: Pick<TestContext, 'after'>,
  settings: Record<string, string> = {},
) {
  const { host, user, database } = await testDatabase()
  let directory = ''
  const { start } = processFixture(t, MAIN, (folder) => {
    directory = folder
    return {
      SOC_PORT: '0',
      SOC_WARM_UP: 'off',
      SOC_STARTER_RULES: 'off',
      // They write into the records that are counted here.
      SOC_AGENTS: 'off',
      SOC_ADMIN_PASSWORD: ADMIN_PASSWORD,
      SOC_RATE_GENERAL: '1000000',
      SOC_LOG: 'silent',
      DATABASE_URL: `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}`,
      ...settings,
    }
  })
  /** Straight to the database, past the service. */
  const straight = new pg.Pool({ host, user, database }).on('error', () => {})
  t.after(() => straight.end())
  const query = async (text: string, values: unknown[] = []): Promise<object[]> =>
    (await straight.query(text, values)).rows

  return async (name: string) => {
    const service = start({ SOC_DATA: path.join(directory, name) })
    const [, address] = await service.printed(/^soc +(http\S+)/m)
    let token: string | undefined
    const call = async (method: string, url: string, body?: unknown) => {
      const reply = await fetch(`${address}/api/v1${url}`, {
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the answer.
      return { status: reply.status, body: (await reply.json()) as any }
    }
    const credentials = { username: 'admin', password: ADMIN_PASSWORD }
    token = (await call('POST', '/auth/token', credentials)).body.access_token
    return {
      ...{ call, query, address: String(address), token: String(token) },
      folder: path.join(directory, name),
      output: service.output,
      kill: () => service.end('SIGKILL'),
    }
  }
}
