import { CHROMIUM, launchBrowser } from '@manara/ui/testing/launch-browser'
import type { Browser } from 'playwright-core'
import { createCamera, type Shot, type Wanted } from './camera.ts'
import { openHouse } from './house.ts'

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

const LOOKS = (['phone', 'desk'] as const).flatMap((size) =>
  ['ar', 'en'].flatMap((language) =>
    (['light', 'dark'] as const).map((theme) => ({ size, language, theme })),
  ),
)
type Look = (typeof LOOKS)[number]
type House = Awaited<ReturnType<typeof openHouse>>

/** Every page on a phone and on a desk, in both languages and both themes. */
export async function drawDashboard(wanted: Wanted) {
  const house = await openHouse()
  const browser = await launchBrowser(CHROMIUM)
  try {
    for (const look of LOOKS) await drawLook(browser, house, look, wanted)
  } finally {
    await browser.close()
    await house.close()
  }
}

async function drawLook(browser: Browser, house: House, look: Look, wanted: Wanted) {
  const { size, language, theme } = look
  const nameOf = (shot: Shot) => `${shot.name}-${size}-${language}-${theme}`
  const shots = SHOTS.filter((shot) => wanted.words.every((word) => nameOf(shot).includes(word)))
  if (shots.length === 0) return
  const device = SIZES[size]
  const context = await browser.newContext({
    ...device,
    colorScheme: theme,
    locale: language,
    reducedMotion: 'reduce',
  })
  await context.addInitScript(remember(house.token, language))
  const page = await context.newPage()
  // In the pixels of the device, which the camera does not take by itself.
  const clip = { x: 0, y: 0, ...device.viewport, scale: device.deviceScaleFactor }
  const take = await createCamera(page, wanted, clip)
  for (const shot of shots) {
    await page.goto(`${house.address}${shot.path}`)
    await page.locator('main h1').waitFor({ state: 'attached' })
    await page.locator('.arch-name').waitFor({ state: 'attached' })
    await page.locator('.ghost').first().waitFor({ state: 'detached' })
    await shot.prepare?.(page)
    await take(nameOf(shot))
  }
  await context.close()
}

/** A script that fills the phone's memory, in the names that src/stores/memory.ts gives. */
const remember = (token: string, language: string) =>
  `localStorage.setItem('manara.token', '${token}'); localStorage.setItem('manara.language', '${language}')`
