import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { told, visit } from '@manara/ui/testing/browser'
import {
  type Console,
  crowd,
  DESK,
  findingsOn,
  goTo,
  signIn,
  startConsole,
} from '../testing/console.ts'

let soc: Console
before(async (t) => {
  soc = await startConsole(t as never, { SOC_STARTER_RULES: 'on' })
  const events = Array.from({ length: 30 }, (_, n) => ({
    ...{ source: 'auth', host: n % 3 === 0 ? 'web-1' : 'web-2', user: 'root' },
    message: `Failed password for root from 203.0.113.${n}`,
    timestamp: new Date(Date.now() - n * 60_000).toISOString(),
  }))
  await soc.call('POST', '/siem/logs', { events })
})

const raise = (title: string, more: object = {}) =>
  soc.call('POST', '/alerts', { title, source: 'test', severity: 'high', host: 'web-1', ...more })

test('who is not signed in is asked to, and comes back to the page that was wanted', async (t) => {
  const page = await visit(t, `${soc.address}/alerts?status=all`, DESK)
  await signIn(page, soc.admin)
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/alerts?status=all')
})

test('alerts by keyboard: select, close, undo', async (t) => {
  await raise('Keyboard one')
  await raise('Keyboard two')
  const page = await soc.opened(t, '/alerts?q=keyboard')
  const row = (title: string) => page.locator('.row-alert', { hasText: title })
  await row('Keyboard two').waitFor()
  await page.keyboard.press('x')
  await page.keyboard.press('x')
  await page.locator('.hints b', { hasText: '2 selected' }).waitFor()
  await page.keyboard.press('e')
  await page.locator('.row-alert[data-status=closed]', { hasText: 'Keyboard one' }).waitFor()
  await told(page, '2 alerts closed')
  // The rows stay where they are; the head says how many are open by now.
  await page.locator('h1', { hasText: /^Alerts\s*0$/ }).waitFor()
  const { items } = await soc.call('GET', '/alerts?q=keyboard')
  assert.deepEqual(
    items.map(({ status }: { status: string }) => status),
    ['closed', 'closed'],
  )
  await page.keyboard.press('u')
  await page.locator('.row-alert[data-status=new]', { hasText: 'Keyboard one' }).waitFor()
  await page.locator('h1', { hasText: /^Alerts\s*2$/ }).waitFor()
  // Once: a second time there is nothing that would be taken back.
  await page.keyboard.press('u')
  await told(page, 'Nothing is left')
  // Also what is still on its way.
  const maySend = Promise.withResolvers<void>()
  await page.route('**/alerts/bulk', (route) => maySend.promise.then(() => route.continue()))
  const isUndone = page.waitForResponse(
    (reply) => reply.request().postDataJSON()?.status === 'new' && reply.ok(),
  )
  await page.keyboard.press('e')
  await page.keyboard.press('u')
  maySend.resolve()
  await isUndone
  assert.equal((await soc.call('GET', '/alerts?q=keyboard&status=new')).total, 2)
})

test('the keyboard stays on its alert, and Back finds it there', async (t) => {
  for (const n of ['one', 'two']) await raise(`Steady ${n}`, { host: 'steady' })
  const page = await soc.opened(t, '/alerts?host=steady')
  const row = (title: string) => page.locator('.row-alert', { hasText: title })
  await row('Steady two').waitFor()
  await page.locator('.link-state[data-state=live]').waitFor()
  await raise('Steady three', { host: 'steady' })
  await row('Steady three').or(page.locator('.fresh')).first().waitFor()
  // Not the one that has just come above it.
  await page.keyboard.press('e')
  await page.locator('.row-alert[data-status=closed]', { hasText: 'Steady two' }).waitFor()
  await row('Steady one').and(page.locator('[data-focus=true]')).waitFor()
  // Nothing moves under who goes over the rows.
  await raise('Steady four', { host: 'steady' })
  await page.locator('.fresh').waitFor()
  // These numbers would be of all alerts, not of this host.
  await page.locator('.spread button').first().waitFor()
  assert.equal(await page.locator('.spread b').count(), 0)
  await page.locator('.rail a[href="/hunts"]').click()
  await page.waitForURL('**/hunts')
  await page.goBack()
  await row('Steady one').and(page.locator('[data-focus=true]')).waitFor()
})

test('a new alert waits behind a pill and moves nothing that is read', async (t) => {
  const first = await raise('Read by somebody')
  const page = await soc.opened(t, `/alerts?open=${first.id}`)
  await page.locator('.panel h2', { hasText: 'Read by somebody' }).waitFor()
  await page.locator('.row-alert', { hasText: 'Read by somebody' }).waitFor()
  await page.locator('.link-state[data-state=live]').waitFor()
  await raise('Came meanwhile', { severity: 'critical' })
  const pill = page.locator('.fresh')
  await pill.waitFor()
  assert.equal(await page.locator('.row-alert', { hasText: 'Came meanwhile' }).count(), 0)
  await page.keyboard.press('n')
  await page.locator('.row-alert', { hasText: 'Came meanwhile' }).waitFor()
})

test('what came before the line was open is not missed', async (t) => {
  await raise('Early bird one')
  const page = await visit(t, `${soc.address}/alerts?host=web-1`, DESK)
  const line = Promise.withResolvers<void>()
  await page.route('**/events/stream', async (route) => {
    await line.promise
    await route.continue()
  })
  await signIn(page, soc.admin)
  await page.locator('.row-alert', { hasText: 'Early bird one' }).waitFor()
  await raise('Early bird two')
  line.resolve()
  // It waits to be shown, unless the word of it came after the line was open: then it is there.
  const second = page.locator('.row-alert', { hasText: 'Early bird two' })
  const fresh = page.locator('.fresh')
  await fresh.or(second).first().waitFor()
  if (await fresh.isVisible()) await fresh.click()
  await second.waitFor()
})

test('of a long queue only a screenful is drawn, and the rest as one scrolls', async (t) => {
  await crowd(150, (n) => raise(`Crowd ${n}`, { source: 'crowd' }))
  const page = await soc.opened(t, '/alerts?source=crowd')
  await page.locator('h1', { hasText: '150' }).waitFor()
  await page.locator('.row-alert', { hasText: 'Crowd' }).first().waitFor()
  assert.ok((await page.locator('.row-alert').count()) < 60)
  await page.locator('.long-list').evaluate((list) => list.scrollTo(0, list.scrollHeight))
  await page.locator('[aria-rowindex="151"]', { hasText: 'Crowd' }).waitFor()
  assert.ok((await page.locator('.row-alert').count()) < 60)
})

test('an alert is promoted to a case that opens with it', async (t) => {
  const alert = await raise('Worth a case')
  const page = await soc.opened(t, `/alerts?status=all&open=${alert.id}`)
  await page.locator('.panel h2', { hasText: 'Worth a case' }).waitFor()
  await page.keyboard.press('p')
  const notice = await told(page, 'Show it')
  await notice.press('Show it')
  await page.locator('.case-head h2', { hasText: 'Worth a case' }).waitFor()
  // By its title and as a link: nobody knows an alert by its id.
  await page.locator('.timeline li', { hasText: 'alert Worth a case linked' }).waitFor()
  await page.locator(`.timeline a[href*="${alert.id}"]`).waitFor()
  await page.locator('textarea').fill('**Contained**, see `web-1`')
  await page.locator('button', { hasText: 'Comment' }).click()
  await page.locator('.comments b', { hasText: 'Contained' }).waitFor()
  const opened = new URL(page.url()).pathname
  const disk = { name: 'disk.img', evidence_type: 'disk', sha256: 'ab'.repeat(32) }
  await soc.call('POST', `${opened}/evidence`, disk)
  await page.locator('button', { hasText: 'Verify the ledger' }).click()
  await page.locator('.good', { hasText: 'The chain is whole' }).waitFor()
  // The hands that a piece went through come when it is opened.
  assert.equal(await page.locator('.chain').count(), 0)
  await page.locator('.evidence summary').click()
  await page.locator('.chain li', { hasText: 'entered' }).waitFor()
})

test('search: words, fields, a condition from a value, and a mistake at its place', async (t) => {
  const page = await soc.opened(t, '/search?last=24h')
  await page.locator('.told b', { hasText: '30 events' }).waitFor()
  // Of all events, not of the few values that are listed.
  await page.locator('.fields .field-line button', { hasText: 'message' }).first().click()
  await page.locator('.fields ol small', { hasText: /^3%$/ }).first().waitFor()
  await page.locator('.fields .field-line button', { hasText: 'host' }).first().click()
  await page.locator('.fields ol li', { hasText: 'web-1' }).locator('button').first().click()
  await page.locator('.told b', { hasText: '10 events' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('q'), 'host:web-1')
  await page.locator('.lines tbody tr').first().click()
  await page.locator('.line-fields', { hasText: 'root' }).waitFor()
  // As it is entered as evidence.
  const open = new URL(page.url()).searchParams.get('open') ?? ''
  await page.locator('.line-id', { hasText: open }).waitFor()
  await page.fill('.search-query input', 'host:(web-1')
  await page.keyboard.press('Enter')
  await page.locator('.query-problem').waitFor()
  await page.goBack()
  await page.locator('.told b', { hasText: '10 events' }).waitFor()
})

test('the palette finds every page, and the keys are printed', async (t) => {
  const page = await soc.opened(t, '/')
  await page.locator('.tile').first().waitFor()
  // On a low screen too it is seen whether all is live, and who is here.
  await page.setViewportSize({ width: 1366, height: 620 })
  for (const one of ['.link-state', '.account summary']) {
    const box = await page.locator(one).boundingBox()
    assert.ok(box && box.y + box.height <= 620, one)
  }
  // What is below stays open for who clicks in it, and closes for who clicks beside it.
  await page.locator('.account summary').click()
  await page.locator('.account p').click()
  assert.equal(await page.locator('.account').getAttribute('open'), '')
  await page.locator('h1').click()
  assert.equal(await page.locator('.account').getAttribute('open'), null)
  await page.keyboard.press('Control+k')
  await page.locator('.palette input').fill('go rules')
  await page.locator('.palette [aria-selected=true]', { hasText: 'Go to Rules' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('h1', { hasText: 'Rules' }).waitFor()
  await page.keyboard.press('?')
  await page.locator('.keys', { hasText: 'Write a rule' }).waitFor()
})

test('a rule is tried on past days before it is saved', async (t) => {
  const page = await soc.opened(t, '/rules/new?query=message%3A%22Failed+password%22')
  await page.getByLabel('Name').fill('Failed passwords')
  await page.locator('button', { hasText: 'Try on past days' }).click()
  await page.locator('.preview b', { hasText: '30 matches' }).waitFor()
  // What was found by another query is not taken for what this one finds.
  const changed = page.getByText('The rule was changed after this was found')
  assert.equal(await changed.count(), 0)
  await page.getByLabel('Query').fill('message:"Failed password" AND host:nowhere')
  await changed.waitFor()
  await page.locator('button', { hasText: 'Try on past days' }).click()
  await page.getByText('It would have found nothing').waitFor()
  assert.equal(await changed.count(), 0)
  await page.locator('button', { hasText: 'Save' }).click()
  await page.waitForURL(/\/rules\/[0-9a-f-]{36}/)
})

test('an approver sees exactly what will be done, and the one who asked cannot decide', async (t) => {
  const made = await soc.call('POST', '/soar/playbooks', {
    ...{ name: 'Tell the team', is_critical: true },
    steps: [
      {
        ...{ id: 'note', action: 'create_case', on_failure: 'continue' },
        params: {
          ...{ title: 'exactly this', severity: 'low' },
          description: `${'at length '.repeat(500)}, to the last word`,
        },
        undo: { action: 'create_case', params: { title: 'took it back', severity: 'low' } },
      },
    ],
  })
  const kim = await soc.person('kim', 'manager')
  await soc.call('POST', `/soar/playbooks/${made.id}/execute`, {})
  const own = await soc.opened(t, '/response/approvals')
  await own.locator('.approval .note', { hasText: 'somebody else has to decide' }).waitFor()
  const page = await soc.opened(t, '/hunts', kim)
  // Of more than are shown it is said that there are.
  await page.route('**/approvals?order=asc&limit=50', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ response: reply, json: { ...(await reply.json()), total: 51 } })
  })
  await goTo(page, '/response/approvals')
  await page.getByText('1 of 51 that wait').waitFor()
  await page.locator('.exactly dd', { hasText: 'exactly this' }).first().waitFor()
  await page.locator('.exactly', { hasText: 'behind it are run all the same' }).waitFor()
  await page.locator('.exactly dd', { hasText: 'took it back' }).first().waitFor()
  await page.locator('.exactly dd button', { hasText: 'Show all of it' }).click()
  await page.locator('.exactly dd', { hasText: 'to the last word' }).first().waitFor()
  await page.locator('button', { hasText: 'Approve' }).first().click()
  await told(page, 'Approved')
  // It stays where it was read, with what became of it.
  await page.locator('.approval .decide', { hasText: 'approved by kim' }).waitFor()
})

test('a viewer sees no action that the role does not have', async (t) => {
  const alert = await raise('Only to look at')
  const lee = await soc.person('lee', 'viewer')
  const page = await soc.opened(t, `/alerts?open=${alert.id}`, lee)
  await page.locator('.panel h2', { hasText: 'Only to look at' }).waitFor()
  assert.equal(await page.locator('.panel .acts button').count(), 0)
  assert.equal(await page.locator('.rail', { hasText: 'Investigate' }).count(), 0)
})

const PAGES = [
  '/',
  '/alerts',
  '/cases',
  '/search',
  '/hunts',
  '/rules',
  '/rules/new',
  '/rules/coverage',
  '/response/playbooks',
  '/response/executions',
  '/investigate',
  '/agents',
  '/devices',
  '/intel',
  '/reports',
  '/admin',
  '/admin/users',
  '/admin/audit',
]
test('no page has a finding of axe, in either theme', async (t) => {
  assert.deepEqual(await findingsOn(await soc.opened(t, '/'), PAGES), [])
})
