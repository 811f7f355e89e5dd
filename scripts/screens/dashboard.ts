import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CHROMIUM, launchBrowser } from '@manara/ui/testing/launch-browser'
import type { Page } from 'playwright-core'
import { openHouse } from './house.ts'

type Shot = {
  name: string
  path: string
  /** What is done before the picture is taken, in words that both languages share. */
  prepare?(page: Page): Promise<void>
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
  const browser = await launchBrowser(CHROMIUM)
  try {
    for (const [size, device] of Object.entries(SIZES)) {
      for (const language of ['ar', 'en']) {
        for (const theme of ['light', 'dark'] as const) {
          const nameOf = (shot: Shot) => `${shot.name}-${size}-${language}-${theme}`
          const wanted = SHOTS.filter((shot) => words.every((word) => nameOf(shot).includes(word)))
          if (wanted.length === 0) continue
          const context = await browser.newContext({
            ...device,
            colorScheme: theme,
            locale: language,
            reducedMotion: 'reduce',
          })
          await context.addInitScript(remember(house.token, language))
          const page = await context.newPage()
          const client = await context.newCDPSession(page)
          for (const shot of wanted) {
            await page.goto(`${house.address}${shot.path}`)
            await page.locator('main h1').waitFor({ state: 'attached' })
            await page.locator('.arch-name').waitFor({ state: 'attached' })
            await page.locator('.ghost').first().waitFor({ state: 'detached' })
            await shot.prepare?.(page)
            await page.evaluate('document.fonts.ready')
            const { data } = await client.send('Page.captureScreenshot', {
              format,
              quality: 80,
              // In the pixels of the device, which this command does not take by itself.
              clip: { x: 0, y: 0, ...device.viewport, scale: device.deviceScaleFactor },
            })
            writeFileSync(path.join(out, `${nameOf(shot)}.${format}`), Buffer.from(data, 'base64'))
          }
          await context.close()
        }
      }
    }
  } finally {
    await browser.close()
    await house.close()
  }
}

/** A script that fills the phone's memory, in the names that src/stores/memory.ts gives. */
const remember = (token: string, language: string) =>
  `localStorage.setItem('manara.token', '${token}'); localStorage.setItem('manara.language', '${language}')`
