import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBox } from '../testing/box.ts'
import { visit } from '../testing/browser.ts'

test('memorising: rounds as beads, and a silence that counts down', async (t) => {
  const box = await startBox(t)
  await box.call('/playback/play', { path: 'Husary/112.wav' })
  await box.call('/playback/pause', {})
  const page = await visit(t, box.address, { token: box.token })
  await page.getByRole('button', { name: 'Repeat' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Memorise surah').click()
  for (let rounds = 7; rounds > 3; rounds -= 1)
    await sheet.getByRole('button', { name: 'Less' }).click()
  await sheet.getByText('5 s', { exact: true }).click()
  await sheet.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Round 1 of 3').waitFor()
  assert.equal(await page.locator('.beads li').count(), 3)
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await page.getByText('Silence: say it yourself').waitFor()
  await page.waitForFunction(
    () =>
      Number(document.querySelector('.beads[data-gap="true"] [data-at="now"]')?.textContent) <= 3,
  )
  await page.getByText('Round 2 of 3').waitFor()
  await page.locator('.beads[data-gap="false"]').waitFor()
  assert.equal(await page.locator('.beads [data-at="done"]').count(), 1)
})

test('a range is chosen by the names of its surahs', async (t) => {
  const box = await startBox(t)
  await box.call('/playback/play', { path: 'Husary/114.wav' })
  const page = await visit(t, box.address, { token: box.token, language: 'ar' })
  await page.getByRole('button', { name: 'التكرار' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('حفظ مقطع').click()
  await sheet.getByLabel('من', { exact: true }).selectOption({ label: '١١٢ الإخلاص' })
  await sheet.getByLabel('إلى', { exact: true }).selectOption({ label: '١١٤ الناس' })
  await sheet.getByRole('button', { name: 'تطبيق' }).click()
  await page.getByText('من الإخلاص إلى الناس').waitFor()
  const { hifz } = await box.call('/playback/status')
  assert.deepEqual([hifz.ab_start, hifz.ab_end], [112, 114])
})

test('a phone that slept for an hour shows what is true now', async (t) => {
  const box = await startBox(t)
  await box.call('/playback/volume', { volume: 20 })
  await box.call('/playback/play', { path: 'Husary/067.wav' })
  const page = await visit(t, box.address, { token: box.token })
  await page.clock.install()
  await page.reload()
  await page.locator('.volume output').getByText('20').waitFor()
  const become = (state: 'hidden' | 'visible') =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await become('hidden')
  await box.kill()
  await box.restart()
  await box.call('/playback/volume', { volume: 55 })
  await box.call('/playback/play', { path: 'Husary/114.wav' })
  await page.clock.fastForward('01:00:00')
  await become('visible')
  await page.locator('.volume output').getByText('55').waitFor()
  await page.getByText('An-Nas').first().waitFor()
  assert.equal(await page.locator('.frame').getAttribute('data-stale'), 'false')
})

test('a sleep timer counts down on its button, is called off, and a queue is filled and emptied', async (t) => {
  const box = await startBox(t)
  await box.call('/playback/play', { path: 'Husary/067.wav' })
  const page = await visit(t, box.address, { token: box.token })
  await page.getByRole('button', { name: 'Sleep', exact: true }).click()
  await page.getByRole('dialog').getByText('15 min').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
  await page.getByRole('button', { name: /^1[45]:\d\d$/, pressed: true }).click()
  assert.equal((await box.call('/playback/sleep')).active, true)
  await page.getByRole('dialog').getByRole('button', { name: 'Call it off' }).click()
  await page.getByRole('button', { name: 'Sleep', exact: true }).waitFor()
  assert.equal((await box.call('/playback/sleep')).active, false)

  await page.getByRole('link', { name: 'Library', exact: true }).click()
  await page
    .locator('.rows')
    .getByRole('link', { name: /Husary/ })
    .click()
  await page.getByPlaceholder('Name or number of a surah').fill('114')
  await page.getByRole('button', { name: 'An-Nas: after this' }).click()
  await page.getByText('An-Nas comes after this.').waitFor()
  await page.getByRole('link', { name: 'Now', exact: true }).click()
  await page.getByRole('heading', { name: 'After this' }).waitFor()
  assert.equal((await box.call('/playback/queue')).queue[0].surah_number, 114)
  await page.getByRole('button', { name: 'Take out An-Nas' }).click()
  await page.getByRole('heading', { name: 'After this' }).waitFor({ state: 'detached' })
})
