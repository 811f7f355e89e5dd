import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { processFixture } from '@manara/kit/testing/service-process'
import type { Page } from 'playwright-core'

const MAIN = new URL('../../../soc/src/main.ts', import.meta.url)
const PASSWORD = 'lantern-over-the-harbour'

/** The soc as its owner starts it, with a few events and alerts in it, in front of a browser. */
export async function startConsole(t: TestContext) {
  const { env, start } = processFixture(t, MAIN, (folder) => ({
    SOC_HOST: '127.0.0.1',
    SOC_PORT: '0',
    SOC_DATA: path.join(folder, 'soc'),
    SOC_ADMIN_PASSWORD: PASSWORD,
    SOC_RATE_GENERAL: '100000',
    SOC_LOG: 'warn',
    SOC_AGENTS: 'off',
  }))
  mkdirSync(env.SOC_DATA, { recursive: true })
  const service = start()
  const [, address = ''] = await service.printed(/soc +(http:\/\/\S+)/)
  const reply = await fetch(`${address}/api/v1/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'admin', password: PASSWORD }),
  })
  const { access_token: token } = (await reply.json()) as { access_token: string }

  async function call(method: string, route: string, body?: object) {
    const answer = await fetch(`${address}/api/v1${route}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${route}: ${await answer.text()}`)
    // biome-ignore lint/suspicious/noExplicitAny: the shape is what tests are about
    return (await answer.json()) as any
  }

  return {
    address,
    call,
    /** Its database stands still, as on a machine that is out of breath, or goes on. */
    freeze: () => signalDatabase(service.children(), 'SIGSTOP'),
    thaw: () => signalDatabase(service.children(), 'SIGCONT'),
    /** A person of this role, with a password that works. */
    async person(username: string, role: string) {
      await call('POST', '/users', { username, role, password: `${PASSWORD} ${username}` })
      return { username, password: `${PASSWORD} ${username}` }
    },
    admin: { username: 'admin', password: PASSWORD },
  }
}
export type Console = Awaited<ReturnType<typeof startConsole>>

/** PostgreSQL is a child of the service, and its own children answer queries. */
function signalDatabase(children: number[], signal: 'SIGSTOP' | 'SIGCONT') {
  for (const pid of children) {
    process.kill(pid, signal)
    const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    for (const one of own.split(' ').filter(Boolean)) process.kill(Number(one), signal)
  }
}

/** Signs in on the page that asks for it, and waits until what was wanted is there. */
export async function signIn(page: Page, who: { username: string; password: string }) {
  await page.fill('input[name=username]', who.username)
  await page.fill('input[name=password]', who.password)
  await page.click('button[type=submit]')
  await page.locator('.rail').waitFor()
}
