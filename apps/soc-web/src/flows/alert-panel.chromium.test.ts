import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { tapTwice, told } from '@manara/ui/testing/browser'
import type { Page } from 'playwright-core'
import { type Console, DESK, goTo, startConsole } from '../testing/console.ts'

let soc: Console
before(async (t) => {
  soc = await startConsole(t as never)
})

type Raised = { id: string; title: string; status: string; resolution: string | null }

/** Alerts of one word, the newest of which is the first row: `Word 3` stands above `Word 2`. */
async function raise(word: string, howMany: number): Promise<Raised[]> {
  const raised: Raised[] = []
  for (let n = 1; n <= howMany; n += 1) {
    const body = { title: `${word} ${n}`, source: word, severity: 'high', host: `${word}-${n}` }
    raised.push(await soc.call('POST', '/alerts', body))
  }
  return raised
}

const row = (page: Page, title: string) => page.locator('.row-alert', { hasText: title })
const shown = (page: Page, title: string) => page.locator('.panel h2', { hasText: title }).waitFor()
const inPanel = (page: Page, name: RegExp) =>
  page.locator('.panel .acts').getByRole('button', { name })

async function closedOf(word: string): Promise<string[]> {
  const { items } = await soc.call('GET', `/alerts?source=${word}&status=closed`)
  return items.map(({ title }: Raised) => title).sort()
}

test('a link to an alert opens that alert, and the keys go on from its row', async (t) => {
  const [first, second] = await raise('linked', 4)
  const page = await soc.opened(t, `/alerts?source=linked&status=all&open=${second?.id}`)
  const openNow = () => new URL(page.url()).searchParams.get('open')
  await shown(page, 'linked 2')
  await row(page, 'linked 4').waitFor()
  // Whatever follows the rows has been drawn after two frames.
  await page.evaluate(
    () => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then))),
  )
  assert.equal(openNow(), second?.id)
  await page.locator('.row-alert[data-focus=true]', { hasText: 'linked 2' }).waitFor()
  await page.keyboard.press('j')
  await shown(page, 'linked 1')
  assert.equal(openNow(), first?.id)
})

test('after Back, the key closes the alert that is shown', async (t) => {
  await raise('went', 4)
  const page = await soc.opened(t, '/alerts?source=went&status=all')
  await row(page, 'went 3').click()
  await shown(page, 'went 3')
  await row(page, 'went 1').click()
  await shown(page, 'went 1')
  await page.goBack()
  await shown(page, 'went 3')
  await page.keyboard.press('e')
  await told(page, '1 alert closed')
  assert.deepEqual(await closedOf('went'), ['went 3'])
})

test('a button in the panel is for the alert shown, whatever is selected', async (t) => {
  await raise('ticked', 3)
  const page = await soc.opened(t, '/alerts?source=ticked&status=all')
  await row(page, 'ticked 3').locator('.tick').click()
  await row(page, 'ticked 2').locator('.tick').click()
  await row(page, 'ticked 1').click()
  await shown(page, 'ticked 1')
  await inPanel(page, /^Close/).click()
  await told(page, /alerts? closed/)
  assert.deepEqual(await closedOf('ticked'), ['ticked 1'])
  // It stays, so that a second click does not meet another alert.
  await shown(page, 'ticked 1')
  await page.locator('.hints b', { hasText: '2 selected' }).waitFor()
})

test('what is typed into a fresh dialog is its text, and Enter sends it', async (t) => {
  const [alert] = await raise('typed', 1)
  const page = await soc.opened(t, `/alerts?source=typed&open=${alert?.id}`)
  await shown(page, 'typed 1')
  await page.keyboard.press('f')
  const dialog = page.getByRole('dialog', { name: /false positive/i })
  await dialog.waitFor()
  await page.keyboard.type('a test by us')
  assert.equal(await dialog.isVisible(), true)
  assert.equal(await dialog.locator('input').last().inputValue(), 'a test by us')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const after: Raised = await soc.call('GET', `/alerts/${alert?.id}`)
  assert.match(after.resolution ?? '', /a test by us/)
})

test('a case is opened by typing its title and Enter, once however often it is sent', async (t) => {
  const page = await soc.opened(t, '/cases')
  await page.locator('h1').waitFor()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.keyboard.type('Twice is once')
  assert.equal(await dialog.locator('input').first().inputValue(), 'Twice is once')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.locator('.case-head h2', { hasText: 'Twice is once' }).waitFor()
  assert.equal((await soc.call('GET', '/cases?q=Twice')).total, 1)
})

test('a double click on a button does it once', async (t) => {
  const { id } = await soc.call('POST', '/cases', { title: 'Commented', severity: 'low' })
  const page = await soc.opened(t, `/cases/${id}`)
  await page.locator('textarea').fill('Said once')
  await tapTwice(page, '**/comments', page.getByRole('button', { name: 'Comment', exact: true }))
  await page.locator('.comments li', { hasText: 'Said once' }).first().waitFor()
  await page.locator('.acts [aria-busy=true]').waitFor({ state: 'detached' })
  assert.equal((await soc.call('GET', `/cases/${id}`)).comments.length, 1)
})

test('every alert there is cannot be changed at once, and it is said why', async (t) => {
  await raise('every', 1)
  const page = await soc.opened(t, '/alerts?status=all')
  await row(page, 'every 1').waitFor()
  await page.keyboard.press('A')
  await page.keyboard.press('t')
  await told(page, 'Filter first')
})

test('an alert of a rule that names no host is closed as a false positive all the same', async (t) => {
  const rule = await soc.call('POST', '/detections/rules', {
    ...{ name: 'Hostless', query: 'host:none', alert_severity: 'low', enabled: false },
  })
  const body = { title: 'Nowhere', source: 'nowhere', severity: 'low', rule_id: rule.id }
  const { id } = await soc.call('POST', '/alerts', body)
  const page = await soc.opened(t, `/alerts?open=${id}`)
  await shown(page, 'Nowhere')
  await page.keyboard.press('f')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('It names no host').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual(await closedOf('nowhere'), ['Nowhere'])
  const { items } = await soc.call('GET', `/detections/rules/${rule.id}/feedback`)
  assert.equal(items[0].verdict, 'false_positive')
})

test('the days of the overview are those of who reads it', async (t) => {
  const timezoneId = 'Pacific/Kiritimati'
  const page = await soc.opened(t, '/hunts', soc.admin, { ...DESK, timezoneId })
  const asked = page.waitForResponse('**/stats/overview?timezone=Pacific%2FKiritimati')
  await goTo(page, '/')
  const { trend } = (await (await asked).json()) as { trend: { from: string }[] }
  const first = new Date(trend[0]?.from ?? '')
  assert.equal(first.getUTCHours(), 10)
  const day = first.toLocaleDateString('en-US', { timeZone: timezoneId })
  const days = page.locator('.trend', { hasText: 'Alerts by the day' })
  await days.locator('.trend-ends', { hasText: day }).waitFor()
})
