import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { told, visit } from '@manara/ui/testing/browser'
import type { Page } from 'playwright-core'
import { type Console, crowd, DESK, goTo, signIn, startConsole } from '../testing/console.ts'

let soc: Console
before(async (t) => {
  soc = await startConsole(t as never)
})

const raise = (title: string, more: object = {}) =>
  soc.call('POST', '/alerts', { title, source: 'test', severity: 'high', host: 'web-1', ...more })
const log = (message: string, more: object = {}) =>
  soc.call('POST', '/siem/logs', {
    events: [{ source: 'pressed', host: 'web-7', message, ...more }],
  })

const shows = (page: Page, selector: string, value: string) =>
  page.waitForFunction(
    ([at, wanted]) => document.querySelector<HTMLSelectElement>(at)?.value === wanted,
    [selector, value] as const,
  )

test('a button or a link in focus has Enter for itself, a row has it again after j', async (t) => {
  const first = await raise('Entered one')
  await raise('Entered two')
  const page = await soc.opened(t, `/alerts?q=entered&open=${first.id}`)
  await page.locator('.panel h2', { hasText: 'Entered one' }).waitFor()
  await page.locator('.panel-close').focus()
  await page.keyboard.press('Enter')
  await page.locator('.panel').waitFor({ state: 'detached' })
  await page.locator('.spread button.high').click()
  await page.locator('.spread button.high[aria-pressed=true]').waitFor()
  await page.locator('.row-alert', { hasText: 'Entered one' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.locator('.panel h2', { hasText: 'Entered one' }).waitFor()
  await page.locator('.rail a[href="/hunts"]').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/hunts')
  await page.waitForFunction(() => document.title.startsWith('Hunts'))
})

test('a search that is run once more finds what has come since, and Back leaves it', async (t) => {
  await log('first of two')
  const page = await soc.opened(t, '/hunts')
  await goTo(page, '/search?q=host:web-7')
  await page.locator('.told b', { hasText: '1 event' }).waitFor()
  await log('second of two')
  await page.locator('.search-query button[type=submit]').click()
  await page.locator('.told b', { hasText: '2 events' }).waitFor()
  // So it does over all time, whose question is the same to the letter.
  await goTo(page, '/search?q=host:web-7&last=all')
  await page.locator('.told b', { hasText: '2 events' }).waitFor()
  await log('third of them')
  await page.locator('.search-query button[type=submit]').click()
  await page.locator('.told b', { hasText: '3 events' }).waitFor()
  await page.goBack()
  await page.goBack()
  await page.waitForURL('**/hunts')
})

test('what is drawn over the histogram is what is counted in groups and exported', async (t) => {
  await log('old one', { host: 'web-8', timestamp: new Date(Date.now() - 7_200_000).toISOString() })
  await log('new one', { host: 'web-8' })
  const page = await soc.opened(t, '/search?q=host:web-8&last=4h&as=groups&by=message')
  await page.locator('td', { hasText: 'old one' }).waitFor()
  await page.locator('.histogram-field').focus()
  await page.keyboard.press('ArrowRight')
  await page.locator('td', { hasText: 'old one' }).waitFor({ state: 'detached' })
  // Where five minutes are over since it was sent, the last bar is empty.
  await page.keyboard.press('Shift+ArrowLeft')
  await page.locator('td', { hasText: 'new one' }).waitFor()
  const exported = await page.locator('a[download="events.ndjson"]').getAttribute('href')
  const begins = new URL(exported ?? '', soc.address).searchParams.get('from') ?? ''
  assert.ok(Date.parse(begins) > Date.now() - 7_200_000, begins)
})

test('who opens the console when much was asked is told that it comes', async (t) => {
  const page = await soc.opened(t, '/alerts')
  const refused = { status: 429, headers: { 'retry-after': '3' }, json: { detail: 'too many' } }
  let asked = 0
  await page.route('**/api/v1/users/me', (route) =>
    asked++ === 0 ? route.fulfill(refused) : route.continue(),
  )
  await page.reload()
  await page.locator('.starting [role=status]', { hasText: 'within a minute' }).waitFor()
  await page.locator('.rail').waitFor()
  assert.equal(await page.locator('.starting').count(), 0)
})

test('a code of one device is not shown with another', async (t) => {
  const one = await soc.call('POST', '/cps/devices', { name: 'pump-one', device_type: 'plc' })
  await soc.call('POST', '/cps/devices', { name: 'pump-two', device_type: 'plc' })
  const page = await soc.opened(t, `/devices?open=${one.id}`)
  await page.locator('.panel button', { hasText: 'code' }).click()
  await page.locator('.panel .note .mono').waitFor()
  await page.locator('.table-open', { hasText: 'pump-two' }).click()
  await page.locator('.panel h2', { hasText: 'pump-two' }).waitFor()
  assert.equal(await page.locator('.panel .note .mono').count(), 0)
})

test('an open case is on the board however many were closed since', async (t) => {
  await soc.call('POST', '/cases', { title: 'Still open', severity: 'high' })
  const ids = new Map<string, string>()
  await crowd(201, async (n) => {
    const { id } = await soc.call('POST', '/cases', { title: `Over ${n}`, severity: 'low' })
    ids.set(`Over ${n}`, id)
    await soc.call('PATCH', `/cases/${id}`, { status: 'closed' })
  })
  const page = await soc.opened(t, '/cases')
  await page.locator('.case-card', { hasText: 'Still open' }).waitFor()
  await page
    .locator('.board section', { hasText: 'Still open' })
    .locator('h2', { hasText: '1' })
    .waitFor()
  await page.locator('.board-rest a', { hasText: '201' }).click()
  await page.waitForURL('**/cases?as=list&status=closed')
  await page.locator('.table-open', { hasText: 'Over' }).first().waitFor()
  assert.equal(await page.locator('.table-open', { hasText: 'Still open' }).count(), 0)
  // A row that is pushed off the first page by a new one stays in sight.
  await goTo(page, '/cases?as=list')
  await page.locator('.load-more button').click()
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 200)
  const shown = await page.locator('.table-open').allTextContents()
  await soc.call('POST', '/cases', { title: 'Pushes the others', severity: 'low' })
  await page.locator('.table-open', { hasText: 'Pushes the others' }).waitFor()
  const after = await page.locator('.table-open').allTextContents()
  assert.deepEqual(after.slice(1), shown)
  // And what somebody else changes there is seen, on whichever page it came.
  const far = ids.get(shown.at(-2) ?? '')
  await soc.call('PATCH', `/cases/${far}`, { title: 'Renamed far below' })
  await page.locator('.table-open', { hasText: 'Renamed far below' }).waitFor()
  // All that still wants work, as it is counted on the overview.
  await page.getByLabel('Status').selectOption('not resolved yet')
  await page.locator('.table-open', { hasText: 'Over' }).first().waitFor({ state: 'detached' })
  const { open_cases } = await soc.call('GET', '/dashboard/stats')
  await page.waitForFunction(
    (count) => document.querySelectorAll('.table-open').length === count,
    open_cases,
  )
})

test('what could not be read is read by itself when the service answers again', async (t) => {
  const page = await soc.opened(t, '/intel')
  await page.locator('main h1').waitFor()
  await page.route('**/api/v1/siem/hunts**', (route) => route.abort('connectionrefused'))
  await goTo(page, '/hunts').catch(() => {})
  await page.locator('.failed', { hasText: 'does not answer' }).waitFor()
  await page.unroute('**/api/v1/siem/hunts**')
  await page.locator('.failed').waitFor({ state: 'detached' })
  // So is a page whose script did not come: the tab stays what it is until then.
  const parts = /\/reports$|\/part-[^/]*\.js$/
  await page.route(parts, (route) => route.abort('connectionrefused'))
  await page.evaluate(() => Object.assign(document.body.dataset, { same: 'tab' }))
  await page.locator('.rail a[href="/reports"]').click()
  await page.locator('.failed', { hasText: 'does not answer' }).waitFor()
  await page.unroute(parts)
  await page.locator('h1', { hasText: 'Reports' }).waitFor()
  assert.equal(await page.locator('body[data-same=tab]').count(), 1)
})

test('a rule that somebody else changed meanwhile can be saved with what was typed', async (t) => {
  const rule = await soc.call('POST', '/detections/rules', {
    ...{ name: 'Contended', query: 'host:web-1', alert_severity: 'low', enabled: false },
  })
  const page = await soc.opened(t, `/rules/${rule.id}`)
  await page.locator('.editor textarea').fill('host:web-1 AND user:root')
  await soc.call('PATCH', `/detections/rules/${rule.id}`, { description: 'By a colleague' })
  await page.locator('.editor button', { hasText: 'Save' }).click()
  await told(page, 'Somebody else')
  assert.equal(await page.locator('.editor textarea').inputValue(), 'host:web-1 AND user:root')
  await page.locator('.editor button', { hasText: 'Save' }).click()
  await told(page, 'Rule saved')
  const { query, description } = await soc.call('GET', `/detections/rules/${rule.id}`)
  assert.deepEqual([query, description], ['host:web-1 AND user:root', 'By a colleague'])
})

test('Back from an investigation goes to its alert and begins no other', async (t) => {
  const alert = await raise('Looked into')
  const page = await soc.opened(t, `/alerts?q=looked&open=${alert.id}`)
  await page.locator('.panel h2', { hasText: 'Looked into' }).waitFor()
  await page.keyboard.press('i')
  await page.waitForURL(/investigate\/[0-9a-f-]{36}/)
  await page.goBack()
  await page.locator('.panel h2', { hasText: 'Looked into' }).waitFor()
  assert.equal((await soc.call('GET', '/agents/investigations')).total, 1)
})

test('a field says what is searched for, and a choice that was refused is taken back', async (t) => {
  const { id } = await soc.call('POST', '/cases', { title: 'Refusing', severity: 'low' })
  await soc.call('POST', `/cases/${id}/tasks`, { title: 'Stubborn' })
  const page = await soc.opened(t, '/cases?as=list')
  await page.fill('input[name=q]', 'nothing is called that')
  await page.keyboard.press('Enter')
  await page.locator('button', { hasText: 'Show all' }).click()
  await page.waitForURL('**/cases?as=list')
  assert.equal(await page.locator('input[name=q]').inputValue(), '')
  await page.fill('input[name=q]', 'Refusing')
  await page.keyboard.press('Enter')
  await page.locator('.table-open', { hasText: 'Refusing' }).click()
  const task = page.locator('.tasks select')
  await task.waitFor()
  await page.route('**/tasks/**', (route) => route.abort('connectionrefused'))
  await task.selectOption('done')
  await told(page, 'does not answer')
  await shows(page, '.tasks select', 'todo')
  const { items } = await soc.call('GET', '/agents?limit=1')
  const { id: agent, instances } = items[0]
  await goTo(page, `/agents?open=${agent}`)
  await page.route('**/scale', (route) => route.abort('connectionrefused'))
  const scale = page.locator('.scale select')
  await scale.selectOption(String(instances + 1))
  await told(page, 'does not answer')
  await shows(page, '.scale select', String(instances))
})

test('an alert that was settled while events were missed says so', async (t) => {
  const alert = await raise('Settled unseen')
  const page = await visit(t, `${soc.address}/alerts?q=unseen`, DESK)
  let said = ''
  await page.route('**/events/stream', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: said }),
  )
  await signIn(page, soc.admin)
  const row = (status: string) =>
    page.locator(`.row-alert[data-status=${status}]`, { hasText: 'Settled unseen' })
  await row('new').waitFor()
  // On every screen it is said that no events come.
  await page.locator('.mode', { hasText: 'The connection is lost' }).waitFor()
  await soc.call('PATCH', `/alerts/${alert.id}`, { status: 'closed' })
  said = 'id: 1\nevent: ready\ndata: {}\n\nid: 9\nevent: reset\ndata: {}\n\n'
  await row('closed').waitFor()
})

test('who may not change rules is not told that an alert has none', async (t) => {
  const rule = await soc.call('POST', '/detections/rules', {
    ...{ name: 'Noisy', query: 'host:web-9', alert_severity: 'low', enabled: false },
  })
  const alert = await raise('Noise again', { rule_id: rule.id })
  const kim = await soc.person('kim', 'analyst')
  const page = await soc.opened(t, `/alerts?q=noise&open=${alert.id}`, kim)
  await page.locator('.panel button', { hasText: 'False positive' }).click()
  await page.locator('dialog', { hasText: 'Your role does not hold back' }).waitFor()
  await page.locator('dialog button', { hasText: 'Close' }).last().click()
})

test('events that came before a block was copied are not the first of its sender', async (t) => {
  const page = await soc.opened(t, '/admin', soc.admin, {
    ...{ ...DESK, permissions: ['clipboard-write'] },
  })
  const block = page.locator('.source-block').first()
  await block.waitFor()
  await page.waitForFunction(() => !document.querySelector('main [aria-busy]'))
  await log('long before')
  const asked = page.waitForResponse((reply) => reply.url().endsWith('/siem/stats'))
  await block.locator('button').click()
  await asked
  const second = page.waitForResponse((reply) => reply.url().endsWith('/siem/stats'))
  await second
  assert.equal(await block.locator('[role=status]').getAttribute('class'), 'soft')
  await log('now')
  await block.locator('[role=status].good').waitFor()
})

test('without a clipboard an event is not offered for copying', async (t) => {
  await log('to be copied', { host: 'web-11' })
  const page = await soc.opened(t, '/search?q=host:web-11')
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.locator('.lines tbody tr').first().click()
  await page.locator('.line-fields').waitFor()
  assert.equal(await page.locator('button', { hasText: 'Copy as JSON' }).count(), 0)
})

test('what was begun is still there after a look elsewhere, and not lost with the tab', async (t) => {
  const { id } = await soc.call('POST', '/cases', { title: 'Half said', severity: 'low' })
  const page = await soc.opened(t, `/cases/${id}`)
  await page.locator('.case-main textarea').fill('It began with')
  await page.locator('.rail a[href="/hunts"]').click()
  await page.waitForURL('**/hunts')
  await page.goBack()
  await page.locator('.case-head h2', { hasText: 'Half said' }).waitFor()
  assert.equal(await page.locator('.case-main textarea').inputValue(), 'It began with')
  const isAsked = () =>
    page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
  assert.equal(await isAsked(), true)
  await page.locator('.case-main textarea').fill('')
  assert.equal(await isAsked(), false)
  // So is a rule.
  await goTo(page, '/rules/new')
  await page.getByLabel('Name').fill('Half a rule')
  await page.locator('.rail a[href="/hunts"]').click()
  await page.waitForURL('**/hunts')
  assert.equal(await isAsked(), true)
  await page.goBack()
  await page.locator('.editor .note', { hasText: 'not saved yet' }).waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Half a rule')
  await page.locator('.editor .note button').click()
  assert.equal(await page.getByLabel('Name').inputValue(), '')
  assert.equal(await isAsked(), false)
})

test('an event that was found is not entered as evidence under the id of another', async (t) => {
  await log('the one', { host: 'web-12' })
  await log('the other', { host: 'web-12' })
  const { items } = await soc.call('GET', '/siem/logs?q=host:web-12')
  const { id } = await soc.call('POST', '/cases', { title: 'With proof', severity: 'low' })
  const page = await soc.opened(t, `/cases/${id}`)
  await page.locator('.case-head h2', { hasText: 'With proof' }).waitFor()
  await page.keyboard.press('e')
  await page.locator('dialog label', { hasText: 'Event' }).first().click()
  const field = page.getByLabel('Id of the event')
  await field.fill(items[0].id)
  await page.keyboard.press('Enter')
  await page.locator('dialog .note', { hasText: items[0].message }).waitFor()
  await field.fill(items[1].id)
  await page.locator('dialog .note').waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.locator('dialog .note', { hasText: items[1].message }).waitFor()
})
