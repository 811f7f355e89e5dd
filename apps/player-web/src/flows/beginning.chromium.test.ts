import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startBox } from '../testing/box.ts'
import { visit } from '../testing/browser.ts'

const BATTERY = { type: 'Battery', present: '1', status: 'Discharging', capacity: '83' }

let box: Awaited<ReturnType<typeof startBox>>
before(async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'board-'))
  const supply = path.join(root, 'sys/class/power_supply/battery')
  mkdirSync(supply, { recursive: true })
  for (const [name, value] of Object.entries(BATTERY)) writeFileSync(path.join(supply, name), value)
  box = await startBox(t as never, { PLAYER_SYSFS: root })
  ;(t as never as { after(then: () => void): void }).after(() => rmSync(root, { recursive: true }))
})

/** What the box says comes as `change` makes it. */
const hearing = (page: Page, change: (said: string) => string | Promise<string>) =>
  page.routeWebSocket('**/ws', (socket) => {
    const server = socket.connectToServer()
    server.onMessage(async (said) => socket.send(await change(String(said))))
  })

const TWO_FRAMES = () =>
  new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))

test('a box that answers late moves nothing of its page, with a battery too', async (t) => {
  const page = await visit(t, box.address, {
    ...{ token: box.token, context: { viewport: { width: 320, height: 640 } } },
  })
  // What the page kept of the place before would be shown where the box takes too long.
  await page.addInitScript(() => localStorage.removeItem('manara.snapshot'))
  let late = Promise.withResolvers<void>()
  await hearing(page, async (said) => {
    await late.promise
    return said
  })
  for (const place of ['library', 'library/Husary', 'radio', 'prayer', 'schedules', 'cards']) {
    late = Promise.withResolvers()
    await page.goto(`${box.address}/${place}`)
    await page.locator('main .page-ghost').waitFor()
    await page.evaluate(TWO_FRAMES)
    late.resolve()
    await page.locator('.bar-battery').waitFor()
    await page.locator('main h1').waitFor()
    await page.waitForLoadState('networkidle')
    const moved = await page.evaluate(whatMoved)
    assert.deepEqual(moved, [], place)
  }
})

test('an address that leads into the house asks at once for all that its page is made of', async (t) => {
  const page = await visit(t, `${box.address}/schedules`)
  await page.locator('main h1').waitFor()
  const late = await page.evaluate(() => {
    const early = [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')]
    const asked = performance.getEntriesByType('resource').map(({ name }) => name)
    return asked.filter((name) => /part-/.test(name) && !early.some(({ href }) => href === name))
  })
  // The words for what the box may say, which the first view has no need of.
  assert.ok(late.length <= 1, `${late}`)
})

test('an empty box: what is missing is said, and the clock is set where that is missed', async (t) => {
  await box.call('/prayer/config', { lat: 30.0444, lng: 31.2357, method: 2 })
  const page = await visit(t, box.address, { token: box.token })
  await hearing(page, (said) =>
    said
      .replace('"time_synced":true', '"time_synced":false')
      .replace('"card_present":true', '"card_present":false')
      .replace(/"file_count":\d+/, '"file_count":0'),
  )
  await page.goto(box.address)
  await page.getByText('No memory card').waitFor()
  await page.getByRole('link', { name: 'Add recitations' }).waitFor()
  // Its times may be those of another hour, and nothing is called by them.
  await page.getByRole('link', { name: 'Set the clock for prayer times' }).click()
  await page.getByRole('heading', { name: 'Qibla' }).waitFor()
  await page.getByText('it calls no adhan').waitFor()
  // The clock of this machine is left alone.
  await page.route('**/settings/time', (route) => route.fulfill({ json: { success: true } }))
  const asked = page.waitForRequest('**/settings/time')
  await page.getByRole('button', { name: 'Set it from this phone' }).click()
  const { epoch } = (await asked).postDataJSON()
  assert.equal(typeof epoch, 'number')
  await page.getByText('The clock is set.').waitFor()
})

test('while the card is read for the first time it is not called empty', async (t) => {
  const page = await visit(t, box.address)
  await hearing(page, (said) =>
    said
      .replace('"scanning":false', '"scanning":true')
      .replace(/"file_count":\d+/, '"file_count":0')
      .replace(/"reciters":\[.*?\]/, '"reciters":[]'),
  )
  for (const place of ['', '/library']) {
    await page.goto(box.address + place)
    await page.getByText('The memory card is being read').locator('visible=true').first().waitFor()
  }
})

test('a schedule whose answer was lost is there, and saved again it is there once', async (t) => {
  const page = await visit(t, `${box.address}/schedules`, { token: box.token })
  await page.getByRole('button', { name: 'New schedule' }).click()
  const isOver = Promise.withResolvers<void>()
  await page.route('**/api/schedules', async (route) => {
    await route.fetch()
    isOver.resolve()
    await route.abort('connectionreset')
  })
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await isOver.promise
  await page.getByText('The box does not answer.').waitFor()
  await page.unroute('**/api/schedules')
  await page.locator('.row-with-buttons').waitFor()
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.waitFor({ state: 'detached' })
  assert.equal((await box.call('/schedules')).schedules.length, 1)
})

test('on a screen with colours of its own it is seen which switch is on', async (t) => {
  const target = { type: 'surah', reciter: 'Husary', surah: 114 }
  const { id } = await box.call('/schedules', { hour: 4, minute: 0, days: 1, target })
  await box.call(`/schedules/${id}/enable`, { enabled: false })
  const page = await visit(t, `${box.address}/schedules`, { context: { forcedColors: 'active' } })
  const picture = (isOn: boolean) => page.getByRole('switch', { checked: isOn }).screenshot()
  assert.notDeepEqual(await picture(true), await picture(false))
})

test('a phone that reads its page out does not talk into what is heard, second by second', async (t) => {
  await box.call('/playback/play', { path: 'Husary/067.wav' })
  const page = await visit(t, box.address)
  const now = page.getByRole('region', { name: 'Now' })
  await now.getByRole('slider', { name: 'Position' }).waitFor()
  assert.equal(await now.getByRole('status').count(), 0)
})

test('a setting that was not changed is shown as the box has it', async (t) => {
  const page = await visit(t, `${box.address}/more`)
  await page.getByRole('button', { name: /^Sleep and cards/ }).click()
  const after = page.getByLabel('Fall asleep when nothing plays')
  const before = await after.inputValue()
  await after.selectOption('240')
  await page.getByLabel('Device token').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForFunction((value) => document.querySelector('select')?.value === value, before)
})

/** What was there already and stands elsewhere now. */
function whatMoved(): Promise<string[]> {
  type Shift = { value: number; sources: { node?: Node }[] }
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as unknown as Shift[]
      const names = ({ sources }: Shift) =>
        sources.map(({ node }) => (node instanceof Element ? node.className : node?.nodeName))
      resolve(shifts.map((one) => `${one.value} ${names(one)}`))
    }).observe({ type: 'layout-shift', buffered: true })
    // Nothing is told where nothing has moved.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve([])))
  })
}
