import assert from 'node:assert/strict'
import { before, test } from 'node:test'
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

test('a restart of the box is told, and mended without a touch', async (t) => {
  await box.call('/playback/volume', { volume: 33 })
  const page = await visit(t, box.address, { token: box.token })
  await page.locator('.volume output').getByText('33').waitFor()
  await box.kill()
  await page.getByText('Not connected to the box').waitFor()
  await page.locator('.frame[data-stale="true"]').waitFor()
  await box.restart()
  await page.getByText('Not connected to the box').waitFor({ state: 'detached' })
  await page.locator('.frame[data-stale="false"]').waitFor()
  await box.call('/playback/play', { path: 'Husary/001.wav' })
  await page.getByText('Al-Fatihah').first().waitFor()
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
