import { CHROMIUM, launchBrowser } from '@manara/ui/testing/launch-browser'
import { openHouse } from '../scripts/screens/house.ts'
import { WEB_APPS } from '../scripts/web/apps.ts'
import { ensureWeb, readStamp } from '../scripts/web.ts'
import { paintedAfter, watchFor } from './painted.ts'

export const name = 'dashboard of the player: first view on a phone with a CPU four times slower'

const READY_LIMIT_MS = 1_200
const SLOWER = 4
const RUNS = 5

/** When the controls are painted, and the memory of the service while it serves. */
export async function run(print: (line: string) => void): Promise<boolean> {
  await ensureWeb(['player-web'])
  const [app] = WEB_APPS
  const weight = app && readStamp(app)
  if (!app || !weight) throw new Error('the dashboard is not built')
  print(
    `first view ${(weight.firstView / 1000).toFixed(1)} KB gzip with ${(weight.fonts / 1000).toFixed(1)} KB of fonts, limit ${app.firstView / 1000} KB`,
  )
  const house = await openHouse()
  const browser = await launchBrowser(CHROMIUM)
  const ready: number[] = []
  try {
    for (let round = 0; round <= RUNS; round += 1) {
      const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
      const client = await page.context().newCDPSession(page)
      await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
      await page.addInitScript(watchFor('.transport-main'))
      await page.goto(house.address)
      const painted = await paintedAfter(page)
      // The first one warms the disk and the browser up.
      if (round > 0) ready.push(painted)
      await page.close()
    }
  } finally {
    await browser.close()
    await house.close()
  }
  const median = ready.toSorted((a, b) => a - b)[RUNS >> 1] ?? Number.POSITIVE_INFINITY
  print(
    `controls painted after ${Math.round(median)} ms (median of ${RUNS}), limit ${READY_LIMIT_MS} ms`,
  )
  return median <= READY_LIMIT_MS && weight.firstView <= app.firstView
}
