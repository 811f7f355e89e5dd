import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, test } from 'node:test'
import { findings, told } from '@manara/ui/testing/browser'
import type { Page } from 'playwright-core'
import { createAuthenticator } from '../testing/authenticator.ts'
import { type Console, findingsOn, goTo, startConsole } from '../testing/console.ts'

/** Of a key that nobody needs: the device is only there to be revoked. */
const REQUEST = [
  '-----BEGIN CERTIFICATE REQUEST-----',
  'MIHJMHICAQAwEDEOMAwGA1UEAwwFcGxjLTEwWTATBgcqhkjOPQIBBggqhkjOPQMB',
  'BwNCAAQesIMAhIZSp/iAmq2prXf4YEjIFUnAw43G9w+Guwoyv7L3/0lzFiKvO1pe',
  'NwmN+syBrqttrqoZceMyFx1fQ8oeoAAwCgYIKoZIzj0EAwIDRwAwRAIgSVEeKHDk',
  'Iq6CiynHVWO1ULvXdwFvlaLX+wrnuttwYfoCIFGwtRvK5O9h8+1oWnaTfmOtgOKO',
  'EJAMn6gXZFh6cMeT',
  '-----END CERTIFICATE REQUEST-----',
].join('\n')

let soc: Console
before(async (t) => {
  soc = await startConsole(t as never)
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const tabs = (page: Page) => page.locator('.tabs a').allTextContents()

/** The dialog that asks again who it is. */
async function prove(page: Page, password: string) {
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
}

test('a second factor is added in the console, and the next sign-in asks for it', async (t) => {
  const mona = await soc.person('mona', 'analyst')
  const page = await soc.opened(t, '/admin/second-factor', mona)
  await button(page, 'Add an authenticator app').click()
  await prove(page, 'not her password')
  await page.getByText('password: is wrong').waitFor()
  await prove(page, mona.password)
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' })
  await dialog.getByText('No camera? Type this key').click()
  const app = createAuthenticator((await dialog.locator('details code').textContent()) ?? '')
  await dialog.getByLabel('Six digits').fill(app.next().replace(/^\d{3}/, '$& '))
  await button(page, 'Add the app').click()
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await codes.locator('pre').waitFor()
  assert.equal((await codes.locator('pre').textContent())?.split('\n').length, 10)
  await page.keyboard.press('Escape')
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  await page.locator('.factor-list li', { hasText: '10 left' }).waitFor()

  await page.context().clearCookies()
  await page.goto(`${soc.address}/alerts`)
  await page.fill('input[name=username]', mona.username)
  await page.fill('input[name=password]', mona.password)
  await page.click('button[type=submit]')
  await page.getByLabel('Code of your app').first().fill(app.next())
  await page.getByRole('button', { name: 'Continue' }).first().click()
  await page.locator('.rail').waitFor()
  assert.equal(new URL(page.url()).pathname, '/alerts')

  const admin = await soc.opened(t, '/admin/second-factor')
  const row = admin.locator('tr', { hasText: 'mona' })
  await row.getByText('Authenticator app').waitFor()
  await row.getByRole('button', { name: 'Remove theirs' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Remove theirs' }).click()
  await prove(admin, soc.admin.password)
  await row.getByText('none').waitFor()
})

test('recovery codes wait until they are kept, also for who has gone Back meanwhile', async (t) => {
  const dana = await soc.person('dana', 'analyst')
  const page = await soc.opened(t, '/hunts', dana)
  await goTo(page, '/admin/second-factor')
  const isAsked = () =>
    page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
  await button(page, 'Add an authenticator app').click()
  await prove(page, dana.password)
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' })
  await dialog.getByText('No camera? Type this key').click()
  const app = createAuthenticator((await dialog.locator('details code').textContent()) ?? '')
  const held = Promise.withResolvers<void>()
  await page.route('**/totp/confirm', async (route) => {
    await held.promise
    await route.continue()
  })
  await dialog.getByLabel('Six digits').fill(app.next())
  await button(page, 'Add the app').click()
  await dialog.locator('button[aria-busy=true]').waitFor()
  await page.goBack()
  await page.waitForURL('**/hunts')
  assert.equal(await isAsked(), true)
  held.resolve()
  const made = await told(page, 'Your recovery codes are made')
  await made.press('Show it')
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await codes.locator('pre').waitFor()
  await page.goBack()
  await codes.waitFor({ state: 'detached' })
  assert.equal(await isAsked(), true)
  await page.goForward()
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  await codes.waitFor({ state: 'detached' })
  assert.equal(await isAsked(), false)
})

test('a user is locked by who says so twice, and never by the second click of two', async (t) => {
  await soc.person('omid', 'viewer')
  const page = await soc.opened(t, '/admin/users')
  const row = page.locator('tbody tr', { hasText: 'omid' })
  const dialog = page.getByRole('dialog')
  await row.getByRole('button', { name: 'Lock' }).dblclick()
  await dialog.getByRole('button', { name: 'Lock', exact: true }).click()
  await row.getByText('locked').waitFor()
  await row.getByRole('button', { name: 'Unlock' }).dblclick()
  await dialog.getByText('They can sign in again').waitFor()
  await page.keyboard.press('Escape')
  await row.getByText('locked').waitFor()
})

test('an admin says which roles need a second factor, after a proof', async (t) => {
  const page = await soc.opened(t, '/admin/second-factor')
  await page.getByLabel('responder').check()
  await button(page, 'Save').click()
  await prove(page, soc.admin.password)
  await told(page, 'It is in force')
  const { second_factor_roles } = await soc.call('GET', '/auth/policy')
  assert.deepEqual(second_factor_roles, ['responder'])
})

test('a key is made with scopes and an end, shown once, used, and revoked', async (t) => {
  const page = await soc.opened(t, '/admin/api-keys')
  await page.getByText('No keys yet').waitFor()
  await button(page, 'Make a key').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What is it for').fill('Web servers')
  await dialog.getByLabel('siem:ingest').check()
  // Who loses patience does not lose the key.
  const held = Promise.withResolvers<void>()
  await page.route('**/api-keys', async (route) => {
    if (route.request().method() === 'POST') await held.promise
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Make a key' }).click()
  await dialog.locator('button[aria-busy=true]').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  for (const _ of [1, 2]) await page.keyboard.press('Escape')
  held.resolve()
  const key = (await dialog.locator('pre').textContent()) ?? ''
  assert.match(key, /^soc_/)
  const sent = await fetch(`${soc.address}/api/v1/siem/logs`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ events: [{ source: 'web', message: 'hello' }] }),
  })
  assert.equal(sent.status, 200)
  await button(page, 'I have it').click()
  await page.reload()
  const row = page.locator('tbody tr', { hasText: 'Web servers' })
  await row.locator('td', { hasText: 'service-web-servers' }).waitFor()
  assert.doesNotMatch((await row.textContent()) ?? '', /never/)
  assert.ok(!(await page.content()).includes(key))
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await row.waitFor({ state: 'detached' })
  const refused = await fetch(`${soc.address}/api/v1/siem/stats`, { headers: { 'x-api-key': key } })
  assert.equal(refused.status, 401)
})

test('a key that was made for who has gone Back meanwhile waits until they have it', async (t) => {
  const page = await soc.opened(t, '/hunts')
  await goTo(page, '/admin/api-keys')
  const isAsked = () =>
    page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
  const held = Promise.withResolvers<void>()
  await page.route('**/api-keys', async (route) => {
    if (route.request().method() === 'POST') await held.promise
    await route.continue()
  })
  await button(page, 'Make a key').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What is it for').fill('Left behind')
  await dialog.getByLabel('siem:ingest').check()
  await dialog.getByRole('button', { name: 'Make a key' }).click()
  await dialog.locator('button[aria-busy=true]').waitFor()
  await page.goBack()
  await page.waitForURL('**/hunts')
  assert.equal(await isAsked(), true)
  held.resolve()
  const made = await told(page, 'The key Left behind is made')
  await made.press('Show it')
  const shown = page.getByRole('dialog', { name: 'Left behind' })
  assert.match((await shown.locator('pre').textContent()) ?? '', /^soc_/)
  // Nor is it lost to who goes Back from it.
  await page.goBack()
  await shown.waitFor({ state: 'detached' })
  assert.equal(await isAsked(), true)
  await page.goForward()
  await shown.getByRole('button', { name: 'I have it' }).click()
  await shown.waitFor({ state: 'detached' })
  assert.equal(await isAsked(), false)
})

test('a key that was made beside a sender waits, too', async (t) => {
  const page = await soc.opened(t, '/admin/sources')
  await page.getByLabel('Name of the sender').fill('Gateway')
  await button(page, 'Make a key for a sender').click()
  const key = page.locator('.sources figure pre')
  await key.waitFor()
  await goTo(page, '/hunts')
  await goTo(page, '/admin/sources')
  assert.match((await key.textContent()) ?? '', /^soc_/)
  await button(page, 'I have it').click()
  await page.getByLabel('Name of the sender').waitFor()
})

test('a secret is stored and listed, and its value is nowhere', async (t) => {
  const page = await soc.opened(t, '/admin/secrets')
  await button(page, 'Add a secret').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('ticket-token')
  await dialog.getByLabel('Value').fill('a value of its own')
  await dialog.getByLabel('May be sent to').fill('tickets.example, tickets.example:8443')
  await button(page, 'Store it').click()
  const row = page.locator('tbody tr', { hasText: 'ticket-token' })
  await row.getByText('tickets.example tickets.example:8443').waitFor()
  assert.ok(!(await page.content()).includes('a value of its own'))
  await row.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
})

test('other limits of retention are tried, and told as settings', async (t) => {
  const page = await soc.opened(t, '/admin/retention')
  await page.getByLabel('Days', { exact: true }).fill('30')
  await page.getByLabel('At most').fill('much')
  await page.getByText('must be a size such as 200G').waitFor()
  await page.getByLabel('At most').fill('200G')
  await button(page, 'What would go?').click()
  await page.locator('.preview-ribbon', { hasText: 'Nothing would go now.' }).waitFor()
  await page.locator('pre', { hasText: 'SOC_RETENTION_DAYS=30' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('bytes'), String(200 * 2 ** 30))
})

test('evidence is entered with its hash, handed on, and the ledger holds', async (t) => {
  const opening = await soc.call('POST', '/cases', { title: 'Stolen laptop', severity: 'high' })
  const page = await soc.opened(t, `/cases/${opening.id}`)
  await page.locator('.case-head').waitFor()
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog')
  const content = Buffer.from('the image of a disk')
  const hash = createHash('sha256').update(content).digest('hex')
  await dialog
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'disk.img', mimeType: 'application/octet-stream', buffer: content })
  await page.waitForFunction(
    (expected) => [...document.querySelectorAll('input')].some(({ value }) => value === expected),
    hash,
  )
  await button(page, 'Enter in the ledger').click()
  const piece = page.locator('.evidence li', { hasText: 'disk.img' })
  await piece.locator('summary').click()
  await button(page, 'Record what happens to it').click()
  await dialog.getByLabel('To whom').fill('lab of the police')
  await button(page, 'Record it').click()
  await piece.locator('.chain li', { hasText: 'lab of the police' }).waitFor()
  await button(page, 'Verify the ledger').click()
  await page.locator('.verdict', { hasText: 'The chain is whole: 2 entries' }).waitFor()
  const { items } = await soc.call('GET', `/cases/${opening.id}/evidence`)
  assert.equal(items[0].sha256, hash)
})

/** As the service keeps one of a device whose settings are others than before. */
const changedAnswer = (device_id: string) => ({
  ...{ id: 'one', device_id, nonce: 'n', trigger: 'manual', requested_by: 'admin' },
  ...{ requested_at: '2026-01-01T00:00:00Z', expires_at: '2026-01-01T00:01:00Z' },
  ...{ status: 'answered', delivered_at: null, received_at: '2026-01-01T00:00:01Z' },
  ...{ verdict: 'contraindicated', reason: 'config is not as it was' },
  claims: {
    firmware: { name: 'plc', version: '1.0', sha256: 'f'.repeat(64) },
    measurements: [{ name: 'config', sha256: 'c'.repeat(64) }],
  },
})

test('what was changed on a device is accepted, and it is revoked for good, after a second look', async (t) => {
  const device = await soc.call('POST', '/cps/devices', { name: 'pump-7', device_type: 'plc' })
  const { code } = await soc.call('POST', `/cps/devices/${device.id}/enrolment-code`)
  await soc.call('POST', '/cps/enrol', { code, csr: REQUEST })
  const page = await soc.opened(t, '/devices')
  // Answers come by a broker and are tested beside the service: here is what the page makes of one.
  await page.route('**/cps/attestations?device_id=*', (route) =>
    route.fulfill({ json: { items: [changedAnswer(device.id)], total: 1, next_cursor: null } }),
  )
  const sent = Promise.withResolvers<[path: string, body: unknown]>()
  await page.route('**/cps/attestations/*/accept', (route) => {
    sent.resolve([new URL(route.request().url()).pathname, route.request().postDataJSON()])
    return route.fulfill({ json: device })
  })
  await page.getByRole('button', { name: 'pump-7' }).click()
  await page.locator('.panel').getByRole('button', { name: 'Accept what it runs now' }).click()
  const accepting = page.getByRole('dialog', { name: 'Accept what the device runs now?' })
  await accepting.getByText('config is not as it was').waitFor()
  await accepting.getByText('c'.repeat(64)).waitFor()
  await accepting.getByLabel('Why').fill('new set-points')
  await accepting.getByRole('button', { name: 'Accept what it runs now' }).click()
  await page.getByText('Accepted; ask it to attest').waitFor()
  assert.deepEqual(await sent.promise, [
    '/api/v1/cps/attestations/one/accept',
    { note: 'new set-points' },
  ])
  await page.locator('.panel').getByRole('button', { name: 'Revoke its certificate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke the certificate of pump-7?' })
  await dialog.getByLabel('Reason').selectOption('key_compromise')
  await dialog.getByRole('button', { name: 'Revoke its certificate' }).click()
  await page.locator('.panel dd', { hasText: 'revoked' }).first().waitFor()
  const after = await soc.call('GET', `/cps/devices/${device.id}`)
  assert.equal(after.certificate.status, 'revoked')
})

test('a parser is written beside what it makes of stored events, and switched on', async (t) => {
  const events = Array.from({ length: 20 }, (_, n) => ({
    source: 'door',
    message: n < 2 ? `window ${n} open` : `door north opened by leila from 192.0.2.${n}`,
  }))
  await soc.call('POST', '/siem/logs', { events })
  const page = await soc.opened(t, '/admin/parsers?q=palo')
  await page.locator('tr', { hasText: 'Palo Alto' }).first().waitFor()
  await page.goto(`${soc.address}/admin/parsers/new?source=door`)
  await page.getByLabel('Name').fill('Doors')
  const pattern = page.getByLabel('Pattern', { exact: true })
  await pattern.fill('door %{WORD:door} opened by %{SOMEBODY:user}')
  await page.locator('.parser-wrong mark', { hasText: '%{SOMEBODY:user}' }).waitFor()
  await pattern.fill('door %{WORD:door} opened by %{USER:user} from %{IP:src_ip}')
  await page.locator('.parser-share b', { hasText: '90%' }).waitFor()

  const line = (read: boolean) => page.locator(`.parser-events li[data-read=${read}]`).first()
  for (const isRead of [true, false]) {
    await line(isRead).locator('summary').click()
    await line(isRead).getByRole('button', { name: 'Make it a sample' }).click()
  }
  await page.locator('.parser-sample .good').nth(1).waitFor()
  await button(page, 'Save').click()
  await page.waitForURL(/parsers\/[0-9a-f-]{36}$/)
  await page.locator('.parser-versions', { hasText: 'Version 1' }).waitFor()
  await button(page, 'Switch on').click()
  await page.locator('.parser-head', { hasText: 'reads with version 1' }).waitFor()
  await soc.call('POST', '/siem/logs', { events: events.slice(-1) })
  const { total } = await soc.call('GET', '/siem/logs?q=door%3Anorth')
  assert.ok(total > 0)

  // What came before it was on is counted, and then read again.
  const task = (text: string) => page.locator('.parser-form [role=status]', { hasText: text })
  await button(page, 'Count what would change').click()
  await task('18 would be read differently').waitFor()
  await button(page, 'Read them again').click()
  await task('18 are read differently now').waitFor()
  assert.equal((await soc.call('GET', '/siem/logs?q=door%3Anorth')).total, 19)

  // A second version that fails its samples is refused, with the sample.
  await page.getByLabel('Pattern', { exact: true }).fill('%{WORD:door} %{GREEDYDATA:rest}')
  await page.locator('.parser-sample .bad').first().waitFor()
  await button(page, 'Save as a new version').click()
  await page.locator('.parser-versions li', { hasText: 'Version 2' }).waitFor()
  const newest = page.locator('.parser-versions li', { hasText: 'Version 2' })
  await newest.getByRole('button', { name: 'Switch on' }).click()
  await told(page, 'samples[')

  // An old version in the editor says that it is one.
  await page
    .locator('.parser-versions li', { hasText: 'Version 1' })
    .getByRole('button', { name: 'Show it' })
    .click()
  await page.locator('.parser-form .note', { hasText: 'version 1 as it was' }).waitFor()
  assert.deepEqual(await findings(page), [])
  await button(page, 'Back to version 2').click()
  await page.locator('.parser-form .note').waitFor({ state: 'detached' })

  // What is typed stays when somebody else saves, and it is said.
  await pattern.fill('%{WORD:mine} %{GREEDYDATA:rest}')
  await soc.call('PATCH', `/siem/parsers/${page.url().split('/').at(-1)}`, {
    definition: { kind: 'dissect', pattern: '%{a} %{b}' },
  })
  await page.locator('.parser-form .note', { hasText: 'newest is 3' }).waitFor()
  assert.equal(await pattern.inputValue(), '%{WORD:mine} %{GREEDYDATA:rest}')
})

test('every role sees the pages and parts that it may, and no others', async (t) => {
  const parts: Record<string, string[]> = {
    viewer: ['Sources', 'Parsers', 'Second factor', 'Retention', 'Sites'],
    manager: ['Sources', 'Parsers', 'Second factor', 'Secrets', 'Retention', 'Sites'],
    auditor: ['Sources', 'Parsers', 'Second factor', 'Retention', 'Audit', 'Sites'],
  }
  for (const [role, seen] of Object.entries(parts)) {
    const page = await soc.opened(t, '/admin', await soc.person(`as-${role}`, role))
    await page.locator('.tabs').waitFor()
    assert.deepEqual(await tabs(page), seen, role)
    assert.equal(
      await page.locator('.rail', { hasText: 'Investigate' }).count(),
      role === 'manager' ? 1 : 0,
    )
    await page.goto(`${soc.address}/admin/api-keys`)
    await page.locator('.tabs a[aria-current=page]', { hasText: 'Sources' }).waitFor()
  }
})

test('no admin page has a finding of axe, in either theme', async (t) => {
  const page = await soc.opened(t, '/admin')
  const parts = [
    'parsers',
    'second-factor',
    'single-sign-on',
    'api-keys',
    'secrets',
    'retention?days=7',
  ]
  assert.deepEqual(
    await findingsOn(
      page,
      parts.map((part) => `/admin/${part}`),
    ),
    [],
  )
})
