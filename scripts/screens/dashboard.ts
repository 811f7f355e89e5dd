import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { openHouse } from './house.ts'

type Shot = {
  name: string
  path: string
  /** What is done before the picture is taken, in words that both languages share. */
  prepare?(page: Page, house: Awaited<ReturnType<typeof openHouse>>): Promise<void>
}

const SHOTS: Shot[] = [
  { name: 'now', path: '/' },
  { name: 'library', path: '/library' },
  { name: 'reciter', path: '/library/Mahmoud%20Khalil%20Al-Husary' },
  { name: 'radio', path: '/radio' },
  { name: 'prayer', path: '/prayer' },
  { name: 'month', path: '/prayer/month' },
  { name: 'schedules', path: '/schedules' },
  { name: 'cards', path: '/cards' },
  { name: 'more', path: '/more' },
  {
    name: 'memorise',
    path: '/',
    async prepare(page) {
      await page.locator('.extras button').first().click()
      await page.locator('dialog').waitFor()
    },
  },
]

const SIZES = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
  desk: { viewport: { width: 1280, height: 860 }, deviceScaleFactor: 1 },
}

export type Wanted = { out: string; format: 'webp' | 'png'; words: string[] }

/** Every page on a phone and on a desk, in both languages and both themes. */
export async function drawDashboard({ out, format, words }: Wanted) {
  mkdirSync(out, { recursive: true })
  const house = await openHouse()
  const browser = await openBrowser()
  try {
    for (const shot of SHOTS) {
      for (const [size, device] of Object.entries(SIZES)) {
        for (const language of ['ar', 'en']) {
          for (const theme of ['light', 'dark'] as const) {
            const name = `${shot.name}-${size}-${language}-${theme}`
            if (words.some((word) => !name.includes(word))) continue
            const context = await browser.newContext({
              ...device,
              colorScheme: theme,
              locale: language,
              reducedMotion: 'reduce',
            })
            await context.addInitScript(
              ([token, spoken]) => {
                // The names of the phone's memory, as src/stores/memory.ts spells them.
                const { localStorage } = globalThis as unknown as {
                  localStorage: { setItem(key: string, value: string): void }
                }
                localStorage.setItem('manara.token', token ?? '')
                localStorage.setItem('manara.language', spoken ?? '')
              },
              [house.token, language],
            )
            const page = await context.newPage()
            await page.goto(`${house.address}${shot.path}`)
            await page.locator('.arch-name, .page h1').first().waitFor({ state: 'attached' })
            await page.waitForLoadState('networkidle')
            await shot.prepare?.(page, house)
            await page.evaluate('document.fonts.ready')
            const client = await context.newCDPSession(page)
            const { data } = await client.send('Page.captureScreenshot', { format, quality: 82 })
            writeFileSync(path.join(out, `${name}.${format}`), Buffer.from(data, 'base64'))
            await context.close()
          }
        }
      }
    }
  } finally {
    await browser.close()
    await house.close()
  }
}
