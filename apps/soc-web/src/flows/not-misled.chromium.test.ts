import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Suppression } from '@manara/soc-contract/suppressions'
import { type Console, goTo, startConsole } from '../testing/console.ts'

let soc: Console
before(async (t) => {
  soc = await startConsole(t as never)
})

const raise = (title: string, more: object = {}) =>
  soc.call('POST', '/alerts', { title, source: 'test', severity: 'high', host: 'web-1', ...more })
const log = (event: object) =>
  soc.call('POST', '/siem/logs', { events: [{ source: 'misled', message: 'x', ...event }] })

test('the rows stand still under a pointer that is about to click one', async (t) => {
  await raise('Pointed at', { source: 'pointed' })
  const page = await soc.opened(t, '/alerts?source=pointed')
  await page.locator('.row-alert', { hasText: 'Pointed at' }).hover()
  await page.locator('.link-state[data-state=live]').waitFor()
  await raise('Came under the pointer', { source: 'pointed' })
  await page
    .locator('.fresh, .row-alert', { hasText: /1 new|Came under/ })
    .first()
    .waitFor()
  await page.mouse.down()
  await page.mouse.up()
  await page.locator('.panel h2', { hasText: 'Pointed at' }).waitFor()
})

test('a machine that is called like a wildcard is held back alone, and once', async (t) => {
  const rule = await soc.call('POST', '/detections/rules', {
    ...{ name: 'Starred', query: 'host:none', alert_severity: 'low', enabled: false },
  })
  const alert = await raise('From a star', { source: 'star', host: '*', rule_id: rule.id })
  // Of another alert like it, and for longer.
  await soc.call('POST', `/detections/rules/${rule.id}/suppressions`, {
    ...{ name: 'False positive: From a star', criteria: { host: '\\*' } },
    ...{ reason: 'the scanner', suppress_for_hours: 8_760 },
  })
  const page = await soc.opened(t, `/alerts?open=${alert.id}`)
  await page.locator('.panel h2', { hasText: 'From a star' }).waitFor()
  // It is done, and the answer is lost.
  let times = 0
  await page.route('**/suppressions', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    times += 1
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.keyboard.press('f')
  const dialog = page.getByRole('dialog')
  const send = dialog.getByRole('button', { name: 'Hold back and close' })
  await send.click()
  await dialog.getByRole('alert').waitFor()
  await send.click()
  await dialog.waitFor({ state: 'detached' })
  const { items } = await soc.call('GET', `/detections/rules/${rule.id}/suppressions`)
  assert.deepEqual(
    items.map(({ criteria, reason, suppress_for_hours }: Suppression) => [
      ...[criteria.host, reason, suppress_for_hours],
    ]),
    [
      ['\\*', '', 168],
      ['\\*', 'the scanner', 8_760],
    ],
  )
  assert.equal(times, 1)
  assert.equal((await soc.call('GET', `/alerts/${alert.id}`)).status, 'closed')
})

test('a value of several lines is found by its plus', async (t) => {
  await log({ host: 'win-1', note: 'Special privileges.\r\n\tSecurity ID:\tS-1-5-18' })
  await log({ host: 'win-1', note: 'Special privileges.' })
  const page = await soc.opened(t, '/search?q=host:win-1')
  await page.locator('.told b', { hasText: '2 events' }).waitFor()
  const { items } = await soc.call('GET', '/siem/logs?q=note:*Security*')
  await goTo(page, `/search?q=host:win-1&open=${items[0].id}`)
  const note = page.locator('.line-fields > div', { hasText: 'Security ID' })
  await note.locator('button').first().click()
  await page.locator('.told b', { hasText: '1 event' }).waitFor()
})

test('the end of a long message is behind its line in an alert too', async (t) => {
  await log({
    host: 'long-1',
    message: `${'harmless '.repeat(60)}and then vssadmin delete shadows`,
  })
  const { items } = await soc.call('GET', '/siem/logs?q=host:long-1')
  const { alert } = await soc.call('POST', `/siem/logs/${items[0].id}/promote`, {})
  const page = await soc.opened(t, `/alerts?open=${alert.id}`)
  const event = page.locator('.panel .event')
  await event.locator('summary', { hasText: '…' }).waitFor()
  await event.getByText('and then vssadmin delete shadows').waitFor()
})

test('where the service does not know the zone of the browser, days are of UTC and it is said', async (t) => {
  const page = await soc.opened(t, '/hunts')
  await page.evaluate(() => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype
    Intl.DateTimeFormat.prototype.resolvedOptions = function () {
      return { ...resolvedOptions.call(this), timeZone: 'Etc/Unknown' }
    }
  })
  await goTo(page, '/')
  await page.getByText('does not know the time zone Etc/Unknown').waitFor()
  await page.locator('.trend', { hasText: 'Alerts by the day' }).waitFor()
  assert.equal(await page.locator('.failed').count(), 0)
})

test('what broke at one address is whole at another', async (t) => {
  const { id } = await soc.call('POST', '/cases', { title: 'Broken inside', severity: 'low' })
  const page = await soc.opened(t, '/cases')
  await page.evaluate(() => Object.assign(window, { reportError: () => {} }))
  await page.route(`**/cases/${id}*`, (route) => route.fulfill({ json: {} }))
  const card = page.locator('.case-card', { hasText: 'Broken inside' })
  await card.click()
  await page.locator('.failed', { hasText: 'broke' }).waitFor()
  await page.goBack()
  await card.waitFor()
})

test('the question stays while it is done, and goes in a dry run too', async (t) => {
  await log({ host: 'desk-9' })
  const page = await soc.opened(t, '/response/endpoints')
  await page.locator('tbody tr', { hasText: 'desk-9' }).locator('.table-open').click()
  const isSeen = Promise.withResolvers<void>()
  await page.route('**/isolate', async (route) => {
    await isSeen.promise
    await route.fulfill({ json: { preview: true } })
  })
  await page.getByRole('button', { name: 'Cut off' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cut desk-9 off the network?' })
  await dialog.getByRole('button', { name: 'Cut off' }).click()
  await dialog.locator('button[aria-busy=true]').waitFor()
  isSeen.resolve()
  await dialog.waitFor({ state: 'detached' })
  await page.locator('.notices', { hasText: 'nothing was changed' }).waitFor()
})

test('an approval that was decided in time is not called late', async (t) => {
  const playbook = await soc.call('POST', '/soar/playbooks', {
    ...{ name: 'Decided in time', is_critical: true },
    steps: [{ id: 'open', action: 'create_case', params: { title: 'x' } }],
  })
  const { approval_id } = await soc.call('POST', `/soar/playbooks/${playbook.id}/execute`, {})
  const path = `/approvals/${approval_id}`
  const known = await soc.call('GET', path)
  let status = 'timeout'
  const page = await soc.opened(t, '/hunts')
  await page.route(`**/api/v1${path}`, (route) =>
    route.fulfill({ json: { ...known, status, expires_at: '2026-01-01T00:00:00.000Z' } }),
  )
  await page.route('**/api/v1/approvals?*', (route) =>
    route.fulfill({ json: { items: [], total: 0 } }),
  )
  const late = page
    .locator('.approval', { hasText: 'Decided in time' })
    .getByText('its time is over')
  await goTo(page, `/response/approvals?open=${approval_id}`)
  await late.waitFor()
  status = 'rejected'
  await page.reload()
  await page.locator('.approval', { hasText: 'Decided in time' }).waitFor()
  assert.equal(await late.count(), 0)
})
