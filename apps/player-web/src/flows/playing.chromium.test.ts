import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Route } from 'playwright-core'
import { startBox } from '../testing/box.ts'
import { visit } from '../testing/browser.ts'

let box: Awaited<ReturnType<typeof startBox>>
before(async (t) => {
  box = await startBox(t as never)
})

test('play and pause, also in Arabic; what another phone does shows at once', async (t) => {
  const page = await visit(t, box.address, { token: box.token, language: 'ar' })
  await page.getByText('السلام عليكم').waitFor()
  await box.call('/playback/play', { path: 'Husary/067.wav' })
  await page.getByText('سورة الملك').first().waitFor()
  await page.getByRole('button', { name: 'إيقاف مؤقت' }).first().click()
  await page.getByRole('button', { name: 'تشغيل', exact: true }).first().waitFor()
  await box.becomes('/playback/status', ({ state }) => state === 'paused')
  assert.equal(await page.evaluate(() => document.documentElement.dir), 'rtl')
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await page.getByRole('button', { name: 'Pause' }).first().waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.dir), 'ltr')
  await box.becomes('/playback/status', ({ state }) => state === 'playing')
})

test('the first change asks for the token once, then does what was asked', async (t) => {
  await box.call('/playback/play', { path: 'Husary/067.wav' })
  const page = await visit(t, box.address)
  await page.getByRole('button', { name: 'Pause' }).first().click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Device token').fill('1234')
  await sheet.getByRole('button', { name: 'Continue' }).click()
  await sheet.getByText('64 digits').waitFor()
  await sheet.getByLabel('Device token').fill('0'.repeat(64))
  await sheet.getByRole('button', { name: 'Continue' }).click()
  await sheet.getByText('does not know this token').waitFor()
  await sheet.getByText('Whoever set up the box has it').waitFor()
  await sheet.getByLabel('Device token').fill(` ${box.token} `)
  await sheet.getByRole('button', { name: 'Continue' }).click()
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Play', exact: true }).first().waitFor()
  await box.becomes('/playback/status', ({ state }) => state === 'paused')
  await page.reload()
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await page.getByRole('button', { name: 'Pause' }).first().waitFor()
})

test('who would rather not give the token changes nothing and is told nothing', async (t) => {
  await box.call('/playback/play', { path: 'Husary/067.wav' })
  const page = await visit(t, box.address)
  await page.getByRole('button', { name: 'Pause' }).first().click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // A browser may also close it without asking the page.
  await page.getByRole('button', { name: 'Pause' }).first().click()
  await page.getByRole('dialog').evaluate((dialog: HTMLDialogElement) => dialog.close())
  await page.getByRole('button', { name: 'Pause' }).first().waitFor()
  assert.equal(await page.locator('.notices p').count(), 0)
})

test('a page that the phone keeps opens where the box answers nothing', async (t) => {
  const page = await visit(t, box.address)
  // As the page itself does where its certificate is trusted.
  await page.evaluate(async () => {
    const { trustedTypes } = globalThis as never as { trustedTypes: Trusted }
    const rules = { createScriptURL: (url: string) => url }
    const script = trustedTypes.createPolicy('manara', rules).createScriptURL('/sw.js')
    const isKept = new Promise((done) => {
      navigator.serviceWorker.addEventListener('controllerchange', done)
    })
    await navigator.serviceWorker.register(script)
    await isKept
  })
  t.after(box.thaw)
  box.freeze()
  await page.goto(`${box.address}/library`)
  await page.getByRole('link', { name: 'Library', exact: true }).waitFor()
  box.thaw()
  await page.locator('.frame[data-stale="false"]').waitFor()
})

test('a page whose script is lost again and again comes by itself', async (t) => {
  const page = await visit(t, box.address)
  const html = await (await fetch(box.address)).text()
  // What is drawn first comes at once behind the page: one script, not one part behind the other.
  assert.equal(html.match(/\/(?!opening)[\w-]+\.js"/g)?.length, 1)
  const asked = () =>
    page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  const unnamed = async () =>
    (await asked()).filter(
      (url) => /\.(js|css|woff2)$/.test(url) && !html.includes(new URL(url).pathname),
    )
  // The sentences that reasons are said in, which no first view has. On a busy machine they come
  // when nothing was asked for long.
  while ((await unnamed()).length === 0) await page.waitForLoadState('networkidle')
  await page.waitForLoadState('networkidle')
  const here = new Set(await asked())
  const later = await unnamed()
  assert.equal(later.length, 1, `${later}`)
  const isLater = ({ href }: URL) => /\/part-\w+\.js$/.test(href) && !here.has(href)
  await page.route(isLater, (route) => route.abort('connectionreset'))
  await page.getByRole('link', { name: 'Radio', exact: true }).click()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.unroute(isLater)
  await page.getByRole('button', { name: 'Add a station' }).waitFor()
  // So does its style.
  await page.route('**/*.css', (route) => route.abort('connectionreset'), { times: 1 })
  await page.reload()
  await page.waitForFunction(ground)
})

test('what is seen before the scripts are here says so; a lost script comes by itself, a hanging style too', async (t) => {
  const page = await visit(t, box.address)
  const held = Promise.withResolvers<void>()
  const lose = async (route: Route) => {
    await held.promise
    await route.abort('connectionreset')
  }
  await page.route('**/main-*.js', lose, { times: 1 })
  await page.reload({ waitUntil: 'commit' })
  await page.getByText('Opening…').waitFor()
  held.resolve()
  await page.locator('.frame[data-stale="false"]').waitFor()
  // A style that hangs holds up neither the page nor itself.
  await page.clock.install()
  await page.route('**/*.css', () => {}, { times: 1 })
  await page.reload({ waitUntil: 'commit' })
  // Nor does it begin anew.
  await page.route(`${box.address}/`, (route) => route.abort('connectionreset'))
  while (!(await page.evaluate(ground))) await page.clock.fastForward(1_000)
  await page.locator('.frame[data-stale="false"]').waitFor()
})

test('a restart of the box is told, and mended without a touch; an updated one brings its page', async (t) => {
  await box.call('/playback/volume', { volume: 33 })
  const page = await visit(t, box.address, { token: box.token })
  let version = '1.0.0'
  let cut = async () => {}
  await page.routeWebSocket('**/ws', (socket) => {
    cut = () => socket.close()
    socket.connectToServer().onMessage((text) => {
      socket.send(`${text}`.replace(/"version":"[^"]+"/, `"version":"${version}"`))
    })
  })
  await page.goto(box.address)
  await page.locator('.volume span').getByText('33').waitFor()
  await box.kill()
  await page.getByText('Not connected to the box').waitFor()
  await page.locator('.frame[data-stale="true"]').waitFor()
  await box.restart()
  await page.getByText('Not connected to the box').waitFor({ state: 'detached' })
  await page.locator('.frame[data-stale="false"]').waitFor()
  await box.call('/playback/play', { path: 'Husary/001.wav' })
  await page.getByText('Al-Fatihah').first().waitFor()
  version = '1.0.1'
  const anew = page.waitForEvent('domcontentloaded')
  await cut()
  await anew
  await page.locator('.frame[data-stale="false"]').waitFor()
})

test('while an update starts the box again, that is said', async (t) => {
  const page = await visit(t, box.address, { token: box.token })
  const ota = { in_progress: true, progress: 100, mode: 'upload', status: 'rebooting', error: '' }
  let isFirst = true
  await page.routeWebSocket('**/ws', (socket) => {
    if (!isFirst) return
    isFirst = false
    socket.connectToServer().onMessage((text) => {
      socket.send(text)
      socket.send(JSON.stringify({ event: 'ota', data: ota }))
      void socket.close()
    })
  })
  await page.goto(box.address)
  await page.getByText('The box starts again with its new version').waitFor()
})

test('a reminder says what it is, and nothing on the page seeks by its sound', async (t) => {
  await box.call('/playback/play', { path: 'Husary/067.wav' })
  await box.call('/playback/pause', {})
  const playback = {
    ...(await box.call('/playback/status')),
    ...{ state: 'playing', position: 1_000, duration: 6_000, track: 'chime', reciter: '' },
    ...{ surah_number: 0, announcement: 'reminder' },
  }
  const page = await visit(t, box.address, { token: box.token })
  await page.routeWebSocket('**/ws', (socket) => {
    socket.connectToServer().onMessage((said) => {
      const { event, data } = JSON.parse(`${said}`)
      const told = event === 'snapshot' ? { ...data, playback } : data
      socket.send(JSON.stringify({ event, data: told }))
    })
  })
  await page.goto(box.address)
  await page.getByRole('heading', { name: 'Reminder of the prayer' }).waitFor()
  assert.equal(await page.getByText('chime').count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Forward 10 seconds' }).count(), 0)
  assert.ok(await page.locator('.seek .range').isDisabled())
  const asked = page.waitForRequest(/\/api\/prayer\/stop-adhan/)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await asked
})

for (const language of ['ar', 'en'] as const) {
  test(`the seek bar is dragged to both sides and runs from the left (${language})`, async (t) => {
    await box.call('/playback/play', { path: 'Husary/067.wav' })
    await box.call('/playback/pause', {})
    const page = await visit(t, box.address, { token: box.token, language })
    const bar = page.locator('.seek .range')
    await bar.waitFor()
    const { x, y, width, height } = (await bar.boundingBox()) ?? assert.fail('no bar')
    const middle = y + height / 2
    const drag = async (from: number, to: number) => {
      const done = page.waitForResponse(/\/api\/playback\/seek/)
      await page.mouse.move(x + width * from, middle)
      await page.mouse.down()
      await page.mouse.move(x + width * to, middle, { steps: 4 })
      await page.mouse.up()
      await done
      return (await box.call('/playback/status')).position / 600_000
    }
    const right = await drag(0.02, 0.7)
    assert.ok(Math.abs(right - 0.7) < 0.05, `${right}`)
    const left = await drag(0.7, 0.3)
    assert.ok(Math.abs(left - 0.3) < 0.05, `${left}`)
  })
}

const ground = () => getComputedStyle(document.documentElement).getPropertyValue('--ground')

type Trusted = {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string }
}
