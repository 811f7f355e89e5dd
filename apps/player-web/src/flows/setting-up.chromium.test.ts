import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, type TestContext, test } from 'node:test'
import { startBox } from '../testing/box.ts'
import { visit } from '../testing/browser.ts'

let box: Awaited<ReturnType<typeof startBox>>
before(async (t) => {
  box = await startBox(t as never)
})

const open = (t: TestContext, path: string) =>
  visit(t, `${box.address}${path}`, { token: box.token })

test('a city sets place, zone and method; times, why and the month are there', async (t) => {
  const page = await open(t, '/prayer')
  await page.getByRole('button', { name: 'Choose the place' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByPlaceholder('City').fill('zzzz')
  await sheet.getByText('None is called that.').waitFor()
  await sheet.getByPlaceholder('City').fill('القاهرة')
  await sheet.getByRole('button', { name: /Cairo/ }).first().click()
  await page.getByRole('heading', { name: 'Qibla' }).waitFor()
  await box.becomes('/prayer', ({ config, valid }) => valid && Math.round(config.lat) === 30)
  await box.becomes('/settings', ({ timezone }) => /^EET-2/.test(timezone))
  await page.getByRole('button', { name: 'Adhan for Asr' }).click()
  await page.getByRole('button', { name: 'Adhan for Asr', pressed: true }).waitFor()
  await box.becomes('/prayer', ({ config }) => (config.adhan.prayer_mask & 8) === 8)
  await page.getByRole('button', { name: /Why these times/ }).click()
  await page.getByRole('dialog').locator('dd').nth(5).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: /The month/ }).click()
  await page.locator('.month tbody tr').nth(27).waitFor()
  // The times of one month must not stand under the name of another.
  await page.route('**/prayer/month?*', (route) => route.fulfill({ status: 503, body: '{}' }))
  const title = await page.locator('main h1').textContent()
  await page.getByRole('button', { name: 'Month after' }).click()
  await page
    .locator('main h1')
    .filter({ hasNotText: `${title}` })
    .waitFor()
  assert.equal(await page.locator('.month tbody tr').count(), 0)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute('**/prayer/month?*')
  await again.click()
  await page.locator('.month tbody tr').nth(27).waitFor()
})

test('the month is that of the box, also on a phone whose clock is a year behind, and whole on a narrow one', async (t) => {
  await box.call('/prayer/config', { lat: 30.0444, lng: 31.2357 })
  const page = await visit(t, `${box.address}/more`, {
    ...{ token: box.token, context: { viewport: { width: 360, height: 640 } } },
  })
  await page.clock.setFixedTime(Date.now() - 330 * 24 * 3600 * 1000)
  const isLooking = Promise.withResolvers<void>()
  await page.routeWebSocket('**/ws', (socket) => {
    const server = socket.connectToServer()
    server.onMessage(async (said) => {
      await isLooking.promise
      socket.send(said)
    })
  })
  await page.goto(`${box.address}/prayer/month`)
  await page.locator('main h1').waitFor()
  isLooking.resolve()
  await page.locator('.month tbody tr[aria-current=date]').waitFor()
  const [all, shown] = await page
    .locator('.month-scroll')
    .evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])
  assert.equal(all, shown)
})

test('bells that are touched faster than the box answers all ring', async (t) => {
  const adhan = { enabled: false, prayer_mask: 0 }
  await box.call('/prayer/config', { lat: 30.0444, lng: 31.2357, adhan })
  const page = await open(t, '/prayer')
  const bells = page.getByRole('button', { name: /^Adhan for/ })
  await bells.and(page.locator('[aria-pressed=false]')).nth(4).waitFor()
  await bells.evaluateAll((all) => {
    for (const bell of all) (bell as HTMLElement).click()
  })
  await box.becomes('/prayer', ({ config }) => config.adhan.prayer_mask === 0b111101)
})

test('the place of the phone is taken when it tells it, with its zone', async (t) => {
  const page = await visit(t, `${box.address}/prayer`, {
    token: box.token,
    context: {
      timezoneId: 'Asia/Riyadh',
      geolocation: { latitude: 21.4225, longitude: 39.8262 },
      permissions: ['geolocation'],
    },
  })
  await page.getByRole('button', { name: /^Place/ }).click()
  await page.getByRole('button', { name: 'Where this phone is' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await box.becomes('/prayer', ({ config }) => config.lat === 21.4225)
  await box.becomes('/settings', ({ timezone }) => timezone === '<+03>-3')
})

test('the adhan is tried and stopped from the page', async (t) => {
  await box.call('/prayer/config', { adhan: { path: 'Husary/067.wav' } })
  const page = await open(t, '/prayer')
  await page.getByRole('button', { name: /^Adhan Called|^Adhan Off/ }).click()
  await page.getByRole('button', { name: 'Try it now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop the adhan' }).click()
  await page.getByRole('button', { name: 'Try it now' }).waitFor()
  assert.equal((await box.call('/playback/status')).adhan, undefined)
})

test('how long a mosque waits for its iqama is set for each prayer', async (t) => {
  const minutes = [20, 0, 15, 15, 10, 15]
  await box.call('/prayer/config', { iqama: { enabled: false, minutes } })
  const page = await open(t, '/prayer')
  await page.getByRole('button', { name: /^Adhan Called|^Adhan Off/ }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Count down to the iqama').click()
  const maghrib = sheet.locator('.stepper', { hasText: 'Maghrib' })
  for (const _ of [1, 2]) await maghrib.getByRole('button', { name: 'Less' }).click()
  await maghrib.getByText('8 min').waitFor()
  await box.becomes(
    '/prayer',
    ({ config: { iqama } }) => iqama.enabled && `${iqama.minutes}` === '20,0,15,15,8,15',
  )
  assert.equal(await sheet.locator('.stepper', { hasText: 'Sunrise' }).count(), 0)
})

test('language, digits and theme are kept on the phone', async (t) => {
  const page = await open(t, '/more')
  await page.getByRole('button', { name: /Language and look/ }).click()
  await page.getByRole('dialog').getByText('العربية').click()
  await page.getByRole('heading', { name: 'اللغة والمظهر' }).waitFor()
  await page.getByRole('dialog').getByText('0123').click()
  await page.getByRole('dialog').getByText('داكن', { exact: true }).click()
  await page.reload()
  await page.getByRole('heading', { name: 'المزيد' }).waitFor()
  const root = page.locator('html')
  assert.equal(await root.getAttribute('dir'), 'rtl')
  assert.equal(await root.getAttribute('data-theme'), 'dark')
  assert.doesNotMatch((await page.locator('.strip').textContent()) ?? '', /[٠-٩]/)
})

test('settings of the box are shown as it has them and changed at once', async (t) => {
  const page = await open(t, '/more')
  await page.getByRole('button', { name: /Sleep and cards/ }).click()
  await page.getByLabel('Fall asleep when nothing plays').selectOption('30')
  const policy = page.waitForResponse(/card-removal/)
  await page.getByRole('dialog').getByText('Stop', { exact: true }).click()
  await policy
  await page.getByRole('button', { name: 'Close' }).click()
  await box.becomes(
    '/settings',
    ({ auto_off_minutes, card_removal }) => auto_off_minutes === 30 && card_removal === 'stop',
  )
  await page.getByRole('button', { name: /^Screen/ }).click()
  await page.getByRole('button', { name: 'Show the screen' }).click()
  await page.getByAltText('The screen of the box as it is now').waitFor()
})

test('an image without the right signature is refused with its reason', async (t) => {
  const page = await open(t, '/more')
  await page.getByRole('button', { name: /^Update/ }).click()
  const image = page.getByLabel('Choose an image on this phone')
  await image.setInputFiles({
    name: 'x.img',
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(5000),
  })
  await page.locator('.notices [data-kind="problem"], .progress .bad').first().waitFor()
  assert.equal(await image.inputValue(), '', 'the same one can be chosen again')
  await page.evaluate(() => localStorage.setItem('manara.language', 'ar'))
  await page.reload()
  await page.getByRole('button', { name: /^التحديث/ }).click()
  // In the language of the phone, not in that of the box.
  await page.getByText('الملف ليس تحديثًا أو هو تالف').waitFor()
})

test('a backup goes into a file and brings back what was there, in the language of the phone', async (t) => {
  await box.call('/radio/stations', { name: 'kept', url: 'http://kept.example/' })
  const page = await open(t, '/more')
  await page.getByRole('button', { name: /^Backup/ }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save a backup' }).click()
  const download = await downloading
  assert.match(download.suggestedFilename(), /^manara-\d{4}-\d\d-\d\d\.json$/)
  const buffer = await readFile(await download.path())
  await box.call('/radio/stations', { name: 'since', url: 'http://since.example/' })

  const chooser = page.getByLabel('Bring a backup back')
  const put = (content: Buffer) =>
    chooser.setInputFiles({ name: 'b.json', mimeType: 'application/json', buffer: content })
  await put(Buffer.from('{}'))
  await page.getByText('This file is no backup of a box.').waitFor()
  // As one that lies on a drive elsewhere, which cannot be reached now.
  await page.evaluate(() => {
    File.prototype.text = () => Promise.reject(new DOMException('far away', 'NotReadableError'))
  })
  await put(buffer)
  await page.getByText('NotReadableError: far away').waitFor()
  await page.evaluate(() => {
    File.prototype.text = Blob.prototype.text
  })
  await put(Buffer.from(buffer.toString().replace('http://kept', 'http://bent')))
  const go = page.getByRole('button', { name: 'Replace and start anew' })
  await go.click()
  await page.getByText('The file was cut or changed since it was made.').waitFor()
  await put(buffer)
  await go.click()
  await page.getByText('The box starts anew.').waitFor()
  await box.renewed()
  const { stations } = await box.call('/radio/stations')
  assert.deepEqual(
    stations.map(({ name }: { name: string }) => name),
    ['kept'],
  )
})

test('a factory reset wants the name of the box', async (t) => {
  const page = await open(t, '/more')
  await page.getByRole('button', { name: 'Factory reset' }).click()
  const sheet = page.getByRole('dialog')
  const go = sheet.getByRole('button', { name: 'Reset everything' })
  assert.ok(await go.isDisabled())
  await sheet.getByRole('textbox').fill('not its name')
  assert.ok(await go.isDisabled())
  await sheet.getByRole('textbox').fill((await box.call('/settings')).hostname)
  assert.ok(await go.isEnabled())
})

const WRONG = '00'.repeat(32)
const LINKS: [what: string, kept: () => string | undefined, linked: () => string][] = [
  ['a phone that has none takes the token of the link', () => undefined, () => box.token],
  ['a phone whose token is of before a reset takes that of the link', () => WRONG, () => box.token],
  ['a link that anybody made does not take the token away', () => box.token, () => WRONG],
]
for (const [what, kept, linked] of LINKS)
  test(`pairing: ${what}`, async (t) => {
    const token = kept()
    const page = await visit(t, `${box.address}/radio#token=${linked()}`, token ? { token } : {})
    await page.getByRole('heading', { name: 'Radio', exact: true }).first().waitFor()
    assert.equal(new URL(page.url()).hash, '')
    await page.waitForLoadState('networkidle')
    await page.waitForFunction((token) => localStorage.getItem('manara.token') === token, box.token)
  })
