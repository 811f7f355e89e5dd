import { startProcess } from '@manara/kit/testing/service-process'
import { CHROMIUM, launchBrowser } from '@manara/ui/testing/launch-browser'
import type { Page } from 'playwright-core'
import { createCamera, type Shot, type Wanted } from './camera.ts'
import { addRecords } from './console-records.ts'

/** The row of a list that was opened, beside the list. */
const first = (selector: string) => async (page: Page) => {
  await page.locator(selector).first().click()
  await page.locator('.panel, .line-open, .case-head, .story').first().waitFor()
}

const SHOTS: Shot[] = [
  { name: 'overview', path: '/' },
  { name: 'alerts', path: '/alerts?status=all', prepare: first('.row-alert:not(.row-head)') },
  { name: 'cases', path: '/cases' },
  { name: 'case', path: '/cases', prepare: first('.case-card') },
  {
    name: 'search',
    path: '/search?last=24h&q=powershell.exe+OR+upd.exe',
    prepare: first('.lines tbody tr'),
  },
  { name: 'hunts', path: '/hunts' },
  { name: 'rules', path: '/rules' },
  {
    name: 'rule',
    path: '/rules/new?query=CommandLine%3A*-enc*',
    async prepare(page) {
      await page.getByRole('button', { name: 'Try on past days' }).click()
      await page.locator('.preview b').first().waitFor()
    },
  },
  { name: 'coverage', path: '/rules/coverage' },
  { name: 'approvals', path: '/response/approvals' },
  { name: 'playbooks', path: '/response/playbooks' },
  { name: 'executions', path: '/response/executions', prepare: first('.table-open') },
  { name: 'endpoints', path: '/response/endpoints', prepare: first('.table-open') },
  { name: 'investigations', path: '/investigate' },
  { name: 'investigation', path: '/investigate', prepare: first('.table-open') },
  { name: 'agents', path: '/agents' },
  { name: 'proposals', path: '/agents/proposals' },
  { name: 'devices', path: '/devices' },
  { name: 'intel', path: '/intel', prepare: first('.table-open') },
  { name: 'reports', path: '/reports' },
  { name: 'first-hour', path: '/start' },
  { name: 'sources', path: '/admin' },
  { name: 'parsers', path: '/admin/parsers' },
  {
    name: 'parser',
    path: '/admin/parsers',
    async prepare(page) {
      await page.locator('.table-open').first().click()
      await page.locator('.parser-share').waitFor()
    },
  },
  { name: 'users', path: '/admin/users' },
  { name: 'audit', path: '/admin/audit' },
  { name: 'second-factor', path: '/admin/second-factor' },
  { name: 'single-sign-on', path: '/admin/single-sign-on' },
  { name: 'api-keys', path: '/admin/api-keys' },
  { name: 'secrets', path: '/admin/secrets' },
  { name: 'retention', path: '/admin/retention?days=7&bytes=40000' },
]
const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
const THEMES = ['light', 'dark'] as const

/**
 * Every page of the console in both themes, with the incident of `npm run demo:incident` in it;
 * with the word `phone` as a phone shows them.
 */
export async function drawConsole(wanted: Wanted) {
  const pictures = picturesOf(wanted.words)
  if (pictures.length === 0) return
  const demo = startProcess(new URL('../demo-incident.ts', import.meta.url), {}, [], ['--stay'])
  const browser = await launchBrowser(CHROMIUM)
  try {
    const [, address = '', password = ''] = await demo.printed(
      /Look around at (\S+) .*password (\S+)\. /,
    )
    await addRecords(address, password)
    const viewport = wanted.words.includes('phone') ? PHONE : DESK
    for (const theme of THEMES) {
      const shots = pictures.filter((picture) => picture.theme === theme)
      if (shots.length === 0) continue
      const context = await browser.newContext({
        viewport,
        colorScheme: theme,
        locale: 'en',
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      await signIn(page, address, password)
      const take = await createCamera(page, wanted)
      for (const shot of shots) {
        await open(page, address, shot)
        await take(shot.file)
      }
      await context.close()
    }
  } finally {
    await browser.close()
    await demo.end('SIGINT')
  }
}

/** The wanted shots in each theme, and what their pictures are called. */
function picturesOf(words: string[]) {
  const size = words.includes('phone') ? 'phone-' : ''
  return THEMES.flatMap((theme) =>
    SHOTS.map((shot) => ({ ...shot, theme, file: `console-${shot.name}-${size}${theme}` })),
  ).filter(({ file }) => words.every((word) => file.includes(word)))
}

async function signIn(page: Page, address: string, password: string) {
  await page.goto(address)
  await page.fill('input[name=username]', 'admin')
  await page.fill('input[name=password]', password)
  await page.click('button[type=submit]')
  await page.locator('.rail').waitFor()
}

async function open(page: Page, address: string, shot: Shot) {
  const busy = page.locator('main [aria-busy]').first()
  await page.goto(address + shot.path)
  await page.locator('main h1').waitFor({ state: 'attached' })
  await busy.waitFor({ state: 'detached' })
  await shot.prepare?.(page)
  await busy.waitFor({ state: 'detached' })
}
