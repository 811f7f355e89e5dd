import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Console, goTo, startConsole } from '../testing/console.ts'

let soc: Console
before(async (t) => {
  soc = await startConsole(t as never)
})

const inFocus = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor()
const press = (page: Page, ...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

test('a record is opened, read and left by keys alone', async (t) => {
  for (const value of ['203.0.113.1', '203.0.113.2']) {
    await soc.call('POST', '/iocs', { value, score: 70 })
  }
  const page = await soc.opened(t, '/intel')
  const row = page.locator('.table-open', { hasText: '203.0.113.2' })
  for (const leave of [['Escape'], ['Tab', 'Enter']]) {
    await row.press('Enter')
    await inFocus(page, '.panel')
    await press(page, ...leave)
    await page.locator('.panel').waitFor({ state: 'detached' })
    await inFocus(page, '.table-open')
    assert.ok(await row.evaluate((one) => one === document.activeElement))
  }
  // Who points at rows goes on with them.
  const other = page.locator('.table-open', { hasText: '203.0.113.1' })
  await other.click()
  await page.locator('.panel').waitFor()
  assert.ok(await other.evaluate((one) => one === document.activeElement))
})

test('the keyboard is not lost with what it was on', async (t) => {
  for (const name of ['first-token', 'last-token']) {
    await soc.call('PUT', `/secrets/${name}`, { value: 'a value of its own', hosts: [] })
  }
  const { id } = await soc.call('POST', '/cases', { title: 'By keys', severity: 'low' })
  const page = await soc.opened(t, '/admin/secrets')
  const first = page.locator('tbody tr', { hasText: 'first-token' })
  await first.getByRole('button', { name: 'Delete' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
  await first.waitFor({ state: 'detached' })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await inFocus(page, 'tbody tr .act')

  // A button that has nothing more to send, and one that is done.
  await goTo(page, `/cases/${id}`)
  await page.getByLabel('Comment', { exact: true }).fill('Seen')
  await page.getByRole('button', { name: 'Comment', exact: true }).press('Enter')
  await inFocus(page, 'textarea')
  await page.getByRole('button', { name: 'Take it' }).press('Enter')
  await page.getByRole('button', { name: 'Take it' }).waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement !== document.body)

  await press(page, 'Control+k')
  await inFocus(page, '.palette input')
  await press(page, 'Escape')
  await page.waitForFunction(() => document.activeElement?.closest('main') !== null)
})

test('nor in a dialog, which it does not leave', async (t) => {
  const page = await soc.opened(t, '/intel')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/v1/iocs/import', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Import' }).press('Enter')
  const dialog = page.getByRole('dialog')
  const file = dialog.getByLabel('File')
  await file.press('Shift')
  const buffer = Buffer.from('value\nby-keys.example')
  await file.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
  // It takes no other file until this one has been read.
  await dialog.locator('input:disabled').waitFor()
  await inFocus(page, 'dialog button')
  held.resolve()
  await dialog.getByText('1 new, 0 renewed').waitFor()
  assert.ok(await page.evaluate(() => document.activeElement?.closest('dialog')?.open))
})
