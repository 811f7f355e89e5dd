import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Suppression } from '@manara/soc-contract/suppressions'
import { told } from '@manara/ui/testing/browser'
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
  await told(page, 'Nothing was changed')
})

test('a dialog that was closed while it was busy takes no other with it', async (t) => {
  const page = await soc.opened(t, '/intel')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/v1/iocs', async (route) => {
    await held.promise
    await route.continue()
  })
  const dialog = page.getByRole('dialog')
  const begin = async (value: string) => {
    await page.getByRole('button', { name: 'Add an indicator' }).click()
    await dialog.getByLabel('Value').fill(value)
  }
  await begin('203.0.113.77')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.locator('button[aria-busy=true]').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await begin('typed.meanwhile.example')
  held.resolve()
  await told(page, 'Indicator added')
  assert.equal(await dialog.getByLabel('Value').inputValue(), 'typed.meanwhile.example')
})

test('what comes late takes nobody from where they have gone meanwhile, nor what they type', async (t) => {
  const [first, second] = [
    await soc.call('POST', '/siem/hunts', { title: 'The first', query: 'host:web-1' }),
    await soc.call('POST', '/siem/hunts', { title: 'The second', query: 'host:web-2' }),
  ]
  const page = await soc.opened(t, `/hunts?open=${first.id}`)
  const held = new Map<string, () => void>()
  /** Until it is let go, what is asked for stays on its way. */
  const hold = (method: string, path: string) =>
    page.route(`**/api/v1${path}`, async (route) => {
      if (route.request().method() === method) {
        await new Promise<void>((go) => held.set(path, go))
      }
      await route.continue()
    })
  const letGo = (path: string) => held.get(path)?.()
  const dialog = page.getByRole('dialog')
  const isBusy = () => dialog.locator('button[aria-busy=true]').waitFor()

  await hold('DELETE', `/siem/hunts/${first.id}`)
  await page.locator('.panel').getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await isBusy()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'The second' }).click()
  letGo(`/siem/hunts/${first.id}`)
  await told(page, 'Hunt deleted')
  assert.equal(new URL(page.url()).searchParams.get('open'), second.id)

  await goTo(page, '/cases')
  await hold('POST', '/cases')
  const begin = async (title: string) => {
    await page.getByRole('button', { name: 'Open a case' }).click()
    await dialog.getByLabel('Title').fill(title)
  }
  await begin('Opened late')
  await dialog.locator('button[type=submit]').click()
  await isBusy()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await begin('Typed meanwhile')
  letGo('/cases')
  const notice = await told(page, 'Show it')
  assert.equal(await dialog.getByLabel('Title').inputValue(), 'Typed meanwhile')
  assert.equal(new URL(page.url()).pathname, '/cases')
  await notice.press('Show it')
  await page.waitForURL(/\/cases\/[0-9a-f-]{36}/)
  const id = page.url().split('/').at(-1)

  await hold('POST', `/cases/${id}/evidence`)
  await page.locator('.case-head').waitFor()
  await page.keyboard.press('e')
  await dialog.getByLabel('Name').fill('disk.img')
  await dialog.getByLabel('SHA-256', { exact: false }).fill('ab'.repeat(32))
  await dialog.locator('button[type=submit]').click()
  await isBusy()
  await dialog.locator('label', { hasText: 'note' }).first().click()
  await dialog.locator('textarea').fill('what I saw')
  letGo(`/cases/${id}/evidence`)
  await page.locator('.evidence li', { hasText: 'disk.img' }).waitFor()
  assert.equal(await dialog.locator('textarea').inputValue(), 'what I saw')
})

test('what was revoked says so, also to who adds it again, and can be used again', async (t) => {
  const { id } = await soc.call('POST', '/iocs', { value: 'taken-back.example' })
  const page = await soc.opened(t, `/intel?open=${id}`)
  const panel = page.locator('.panel')
  await panel.getByRole('button', { name: 'Revoke' }).click()
  await panel.getByText('it matches no longer').waitFor()
  await page.locator('tbody tr', { hasText: 'taken-back.example revoked' }).waitFor()
  await page.getByRole('button', { name: 'Add an indicator' }).click()
  await page.getByRole('dialog').getByLabel('Value').fill('taken-back.example')
  await page.keyboard.press('Enter')
  await told(page, 'still matches nothing')
  await panel.getByRole('button', { name: 'Use it again' }).click()
  await panel.getByRole('button', { name: 'Revoke' }).waitFor()
  assert.equal((await soc.call('GET', `/iocs/${id}`)).revoked, false)
})

test('a second press or click where Revoke was takes nothing back', async (t) => {
  const { id } = await soc.call('POST', '/iocs', { value: 'clicked-twice.example' })
  const page = await soc.opened(t, `/intel?open=${id}`)
  const sent: unknown[] = []
  page.on('request', (asked) => asked.method() === 'PATCH' && sent.push(asked.postDataJSON()))
  const panel = page.locator('.panel')
  const revoke = panel.getByRole('button', { name: 'Revoke' })
  const { x, y, width, height } = (await revoke.boundingBox()) ?? assert.fail()
  await page.mouse.click(x + width / 2, y + height / 2)
  await panel.getByRole('button', { name: 'Use it again' }).waitFor()
  await page.keyboard.press('Enter')
  await page.mouse.click(x + width / 2, y + height / 2)
  await page.locator('tbody tr', { hasText: 'clicked-twice.example revoked' }).waitFor()
  assert.deepEqual(sent, [{ revoked: true }])
})

test('on a low screen every page is in the rail, and what is long leaves its panel to be closed', async (t) => {
  const { id } = await soc.call('POST', '/iocs', {
    value: `https://a.example/${'b'.repeat(2_000)}`,
  })
  const page = await soc.opened(t, `/intel?open=${id}`)
  for (const height of [800, 720, 600]) {
    await page.setViewportSize({ width: 1280, height })
    const hidden = await page
      .locator('.rail ul')
      .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
    assert.equal(hidden, 0, `${height}`)
  }
  const panel = page.locator('.panel')
  await panel.getByText('Show all of it, 2018 characters').waitFor()
  const close = await panel.getByRole('button', { name: 'Close' }).boundingBox()
  assert.ok(close && close.y < 60, JSON.stringify(close))
})

test('more of one list is not shown under what was asked for since', async (t) => {
  await soc.call('POST', '/iocs', { value: 'listed.example' })
  const page = await soc.opened(t, '/hunts')
  await page.route('**/api/v1/iocs?limit=100', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ json: { ...(await reply.json()), next_cursor: 'more' } })
  })
  const held = Promise.withResolvers<void>()
  await page.route('**/api/v1/iocs?*cursor=more', async (route) => {
    await held.promise
    await route.fulfill({ json: { items: [], total: 1, next_cursor: null } })
  })
  await goTo(page, '/intel')
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByLabel('Find an indicator').fill('nothing-is-called-so')
  await page.keyboard.press('Enter')
  const row = page.locator('tbody tr', { hasText: 'listed.example' })
  await row.waitFor({ state: 'detached' })
  const late = page.waitForResponse('**/api/v1/iocs?*cursor=more')
  held.resolve()
  await (await late).finished()
  // A turn of the page after it: what was to be drawn of it is drawn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
  assert.equal(await row.count(), 0)
})

test('what came while more was loaded stays in sight', async (t) => {
  await soc.call('POST', '/iocs', { value: 'first.example' })
  const page = await soc.opened(t, '/hunts')
  await page.route('**/api/v1/iocs?limit=100', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ json: { ...(await reply.json()), next_cursor: 'more' } })
  })
  const { items } = await soc.call('GET', '/iocs?limit=1')
  const further = { ...items[0], id: 'further', value: 'further.example' }
  const held = Promise.withResolvers<void>()
  await page.route('**/api/v1/iocs?*cursor=more', async (route) => {
    await held.promise
    await route.fulfill({ json: { items: [further], total: 2, next_cursor: null } })
  })
  await goTo(page, '/intel')
  await page.locator('.link-state[data-state=live]').waitFor()
  await page.getByRole('button', { name: 'Load more' }).click()
  const row = (value: string) => page.locator('tbody tr', { hasText: value })
  await soc.call('POST', '/iocs', { value: 'came-meanwhile.example' })
  await row('came-meanwhile.example').waitFor()
  held.resolve()
  await row('further.example').waitFor()
  assert.equal(await row('came-meanwhile.example').count(), 1)
})

test('indicators are imported from one file at a time', async (t) => {
  const page = await soc.opened(t, '/intel')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/v1/iocs/import', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  const file = dialog.getByLabel('File')
  const choose = (...values: string[]) =>
    file.setInputFiles({
      ...{ name: 'feed.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(['value', ...values].join('\n')),
    })
  const asked = page.waitForRequest('**/api/v1/iocs/import')
  await choose('one-file.example')
  await asked
  assert.equal(await file.isDisabled(), true)
  held.resolve()
  await dialog.getByText('1 new, 0 renewed').waitFor()
  await choose('one-file.example', 'two-file.example')
  await dialog.getByText('1 new, 1 renewed').waitFor()
})

test('a file of rules that cannot be read is told, and none of it is kept for the import', async (t) => {
  const page = await soc.opened(t, '/rules')
  await page.getByRole('button', { name: 'Import Sigma' }).click()
  const dialog = page.getByRole('dialog')
  // As one that lies on a drive elsewhere, which cannot be reached now.
  await page.evaluate(() => {
    File.prototype.text = () => Promise.reject(new DOMException('far away', 'NotReadableError'))
  })
  const file = { name: 'a.yml', mimeType: 'text/yaml', buffer: Buffer.from('title: a') }
  await dialog.locator('input[type=file]').setInputFiles(file)
  await page.getByText('far away').waitFor()
  assert.ok(await dialog.getByRole('button', { name: 'Import' }).isDisabled())
})

test('what an import took and refused is said to who has closed its dialog', async (t) => {
  const page = await soc.opened(t, '/rules')
  const held = Promise.withResolvers<void>()
  await page.route(/\/api\/v1\/(detections\/rules|iocs)\/import/, async (route) => {
    await held.promise
    await route.continue()
  })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Import Sigma' }).click()
  await dialog.locator('textarea').fill('title: No rule at all')
  await dialog.getByRole('button', { name: 'Import' }).click()
  await dialog.locator('button[aria-busy=true]').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await goTo(page, '/intel')
  await page.getByRole('button', { name: 'Import' }).click()
  const buffer = Buffer.from('value\nsaid-late.example')
  await dialog.getByLabel('File').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
  await page.keyboard.press('Escape')
  held.resolve()
  await told(page, 'Rules: 0 new, 0 renewed, 1 refused')
  await told(page, 'Indicators: 1 new, 0 renewed, 0 refused')
})

test('why nothing was found is said once', async (t) => {
  await log({ host: 'desk-9' })
  const page = await soc.opened(t, '/search?q=host:nobody-has-it')
  await page.locator('.empty', { hasText: 'matches no stored event' }).waitFor()
  assert.equal(await page.locator('.told-note').count(), 0)
  // A screen reader hears it with the number.
  await page.locator('.told [role=status]', { hasText: 'matches no stored event' }).waitFor()
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

test('machines are not called online by an EDR that has fallen silent', async (t) => {
  await soc.call('POST', '/siem/logs', {
    events: [{ source: 'sshd', host: 'desk-7', message: 'seen' }],
  })
  const stats = await soc.call('GET', '/edr/stats')
  const adapter = { ...stats.adapter, configured: true, last_poll_at: null, last_error: null }
  const page = await soc.opened(t, '/hunts')
  await page.route('**/api/v1/edr/stats', (route) => route.fulfill({ json: { ...stats, adapter } }))
  await goTo(page, '/response/endpoints')
  const note = page.locator('.find-endpoint [role=status]')
  await page.locator('.find-endpoint input').waitFor()
  assert.equal(await note.count(), 0)
  adapter.last_error = 'the EDR cannot be reached: other side closed'
  await note.filter({ hasText: 'could not be read yet: the EDR cannot be reached' }).waitFor()
  adapter.last_poll_at = new Date(Date.now() - 60_000).toISOString()
  await note.filter({ hasText: /Since .* \(the EDR cannot be reached.* waits for it/ }).waitFor()
  adapter.last_error = null
  await note.waitFor({ state: 'detached' })
})
