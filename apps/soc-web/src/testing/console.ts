import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { copyReadyCluster } from '@manara/kit/testing/ready-cluster'
import { mainOf, processFixture } from '@manara/kit/testing/service-process'
import { findings, type Visit, visit } from '@manara/ui/testing/browser'
import type { Page } from 'playwright-core'

const MAIN = mainOf('soc')
const PASSWORD = 'lantern-over-the-harbour'

/** The soc as its owner starts it, with a few events and alerts in it, in front of a browser. */
export async function startConsole(t: TestContext, settings: Record<string, string> = {}) {
  const { env, start } = processFixture(t, MAIN, (folder) => ({
    SOC_HOST: '127.0.0.1',
    SOC_PORT: '0',
    SOC_WARM_UP: 'off',
    // To bring them takes longer than all the rest of a start.
    SOC_STARTER_RULES: 'off',
    SOC_DATA: path.join(folder, 'soc'),
    SOC_ADMIN_PASSWORD: PASSWORD,
    SOC_RATE_GENERAL: '100000',
    SOC_LOG: 'warn',
    SOC_AGENTS: 'off',
    ...settings,
  }))
  mkdirSync(env.SOC_DATA, { recursive: true })
  copyReadyCluster(env.SOC_DATA)
  const service = start()
  const [, address = ''] = await service.printed(/soc +(http:\/\/\S+)/)
  const signInAs = (who: Person) =>
    oncePossible(() =>
      fetch(`${address}/api/v1/auth/token`, { method: 'POST', body: new URLSearchParams(who) }),
    )
  const admin = { username: 'admin', password: PASSWORD }
  const reply = await signInAs(admin)
  const { access_token: token } = (await reply.json()) as { access_token: string }
  const cookies = new Map([[admin.username, cookieOf(reply)]])

  async function call(method: string, route: string, body?: object) {
    const answer = await oncePossible(() =>
      fetch(`${address}/api/v1${route}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    )
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
    admin,
    /** A page of this service, opened by somebody who has signed in before. */
    async opened(t: TestContext, path: string, who: Person = admin, how: Visit = DESK) {
      const kept = cookies.get(who.username) ?? cookieOf(await signInAs(who))
      cookies.set(who.username, kept)
      const page = await visit(t, address + path, {
        ...{ ...how, storageState: { cookies: [kept], origins: [] } },
      })
      await page.locator('.rail').waitFor()
      return page
    },
  }
}
export type Console = Awaited<ReturnType<typeof startConsole>>
type Person = { username: string; password: string }

/** Some at a time: a service on a busy machine refuses what waits too long for its turn. */
export async function crowd(count: number, make: (n: number) => Promise<unknown>) {
  let begun = 0
  const lane = async () => {
    while (begun < count) await make(begun++)
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}

/** What is refused since the database did not answer has changed nothing, and is asked again. */
async function oncePossible(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
    await pause(200)
  }
}

export const DESK = { viewport: { width: 1440, height: 900 } }
export const PHONE = { viewport: { width: 390, height: 844 } }

/** What the browser would have kept of it. */
function cookieOf(reply: Response) {
  const [session = ''] = reply.headers.getSetCookie()
  const [name = '', value = ''] = session.split(';')[0]?.split('=') ?? []
  return {
    ...{ name, value, domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true },
    ...{ secure: false, sameSite: 'Strict' as const },
  }
}

/** Another page without loading the console anew, as a link goes there. */
export async function goTo(page: Page, path: string) {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.locator('main h1').waitFor({ state: 'attached' })
  await page.waitForFunction(() => !document.querySelector('main [aria-busy]'))
}

/** What axe finds on these pages, in both themes; in the second only what a theme can change. */
export async function findingsOn(page: Page, paths: string[]): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without the moments in which one colour becomes another.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.reload()
    await page.locator('.rail').waitFor()
    for (const path of paths) {
      await goTo(page, path)
      const some = await findings(page, colorScheme === 'light' ? 'all' : 'colours')
      found.push(...some.map((one) => `${path}, ${colorScheme}: ${one}`))
    }
  }
  return found
}

/** PostgreSQL is a child of the service, and its own children answer queries. */
function signalDatabase(children: number[], signal: 'SIGSTOP' | 'SIGCONT') {
  for (const pid of children) {
    process.kill(pid, signal)
    const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    for (const one of own.split(' ').filter(Boolean)) signalIfThere(Number(one), signal)
  }
}

/** One that is listed may end before its turn comes. */
function signalIfThere(pid: number, signal: 'SIGSTOP' | 'SIGCONT') {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Signs in on the page that asks for it, and waits until what was wanted is there. */
export async function signIn(page: Page, who: Person) {
  await page.fill('input[name=username]', who.username)
  await page.fill('input[name=password]', who.password)
  await page.click('button[type=submit]')
  await page.locator('.rail').waitFor()
}
