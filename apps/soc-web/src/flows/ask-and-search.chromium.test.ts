import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { findings } from '@manara/ui/testing/browser'
import { type Console, goTo, PHONE, startConsole } from '../testing/console.ts'

let soc: Console
let alert: { id: string }
before(async (t) => {
  soc = await startConsole(t as never, { SOC_STARTER_RULES: 'on' })
  const events = Array.from({ length: 30 }, (_, n) => ({
    ...{ id: `asked-${n}`, source: 'auth', host: n % 3 === 0 ? 'web-1' : 'web-2', user: 'root' },
    message: `Failed password for root from 203.0.113.${n}`,
    timestamp: new Date(Date.now() - n * 60_000).toISOString(),
  }))
  await soc.call('POST', '/siem/logs', { events })
  alert = await soc.call('POST', '/alerts', {
    ...{ title: 'Asked about', source: 'test', severity: 'high', host: 'web-1' },
    iocs: ['203.0.113.9'],
  })
})

test('chat: asked beside the page about what is open, a citation opens the event, Escape leaves', async (t) => {
  const page = await soc.opened(t, `/alerts?open=${alert.id}`)
  await page.locator('.panel h2', { hasText: 'Asked about' }).waitFor()
  await page.keyboard.press('Control+j')
  await page.locator('.dock-who', { hasText: 'No language model' }).waitFor()
  await page.locator('.dock .chip', { hasText: 'this alert' }).waitFor()
  // Beside the page, never over it.
  const [main, dock] = await Promise.all(
    ['#main', '.dock'].map((one) => page.locator(one).boundingBox()),
  )
  assert.ok(main && dock && main.x + main.width <= dock.x)
  const ask = async (question: string) => {
    await page.locator('.dock textarea').fill(question)
    await page.keyboard.press('Enter')
  }
  await ask('explain this')
  await page.locator('.turn-answer', { hasText: 'is high and new' }).waitFor()
  assert.deepEqual(await findings(page), [])

  await ask('what happened on this host?')
  await page.locator('.turn-answer a', { hasText: '203.0.113.0' }).click()
  await page.locator('.line-fields', { hasText: 'root' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('open'), 'asked-0')
  await page.locator('.dock .chip', { hasText: 'this event' }).waitFor()

  // The thread outlives the page.
  await page.reload()
  await page.locator('.turn-question', { hasText: 'explain this' }).waitFor()
  await page.locator('.dock textarea').focus()
  await page.keyboard.press('Escape')
  await page.locator('.dock').waitFor({ state: 'detached' })
})

test('chat: what should be done is a preview, which a person proposes', async (t) => {
  const page = await soc.opened(t, `/alerts?open=${alert.id}`)
  await page.locator('.panel h2', { hasText: 'Asked about' }).waitFor()
  await page.keyboard.press('Control+j')
  await page.locator('.dock textarea').fill('block 203.0.113.9')
  await page.keyboard.press('Enter')
  const preview = page.locator('.chat-preview', { hasText: 'Block 203.0.113.9' })
  await preview.waitFor()
  assert.equal((await soc.call('GET', '/agents/proposals')).total, 0)
  await preview.locator('button', { hasText: 'Propose this' }).click()
  await preview.locator('.good', { hasText: 'Proposed' }).waitFor()
  const { items } = await soc.call('GET', '/agents/proposals')
  assert.deepEqual(items[0].action.values, ['203.0.113.9'])
})

test('chat: a sheet on a phone', async (t) => {
  const page = await soc.opened(t, '/alerts', soc.admin, PHONE)
  await page.locator('.rail-chat').click()
  await page.locator('.dock-examples button', { hasText: 'Show new alerts' }).click()
  await page.locator('.turn-answer a', { hasText: 'Asked about' }).waitFor()
  const dock = await page.locator('.dock').boundingBox()
  assert.ok(dock && dock.x === 0 && dock.width === 390 && dock.y > 100)
})

test('on a phone no page and no table is wider than the screen', async (t) => {
  // A name that no blank breaks is as wide as it is long, unless it may break within.
  const name = 'unbroken_'.repeat(20)
  const opened = await soc.call('POST', '/cases', { title: name, severity: 'low' })
  // A real phone lays the page out as wide as what sticks out of it.
  const page = await soc.opened(t, '/alerts', soc.admin, { ...PHONE, isMobile: true })
  const paths = [
    ...['/', '/alerts', '/cases', '/cases?as=list', '/search', '/hunts', '/rules', '/devices'],
    ...['/response/executions', '/response/endpoints', '/intel', '/reports', '/investigate'],
    ...['/admin', '/admin/users', '/admin/api-keys', '/admin/audit', `/cases/${opened.id}`],
    '/search?open=asked-0',
  ]
  const wide: string[] = []
  for (const path of paths) {
    await goTo(page, path)
    const found = await page.evaluate(
      (most) =>
        ['html', 'body', 'main', '.table-box', '.line-fields']
          .flatMap((name) => [...document.querySelectorAll(name)])
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > Math.min(clientWidth, most))
          .map(({ tagName, scrollWidth }) => `${tagName} ${scrollWidth}`),
      PHONE.viewport.width,
    )
    wide.push(...found.map((one) => `${path}: ${one}`))
  }
  assert.deepEqual(wide, [])
})

test('search: a mistake is underlined at its token as one types, and fields are completed', async (t) => {
  const page = await soc.opened(t, '/search?last=24h')
  await page.locator('.told b', { hasText: '30 events' }).waitFor()
  const field = page.locator('.search-query input')
  await field.fill('host:web-1 and user:root')
  await page.locator('.query-mirror [data-wrong=true]', { hasText: /^and$/ }).waitFor()
  await page.locator('.query-problem', { hasText: 'only in capitals' }).waitFor()
  assert.deepEqual(await findings(page), [])

  await field.fill('')
  await field.pressSequentially('hos')
  await page.locator('.suggestions [role=option]', { hasText: 'host' }).first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('.search-query input')?.value === 'host:',
  )
  await field.pressSequentially('web')
  await page.locator('.suggestions [role=option]', { hasText: 'web-1' }).click()
  await page.keyboard.press('Enter')
  await page.locator('.told b', { hasText: '10 events' }).waitFor()
})

test('search: a stretch drawn over the histogram shows what it holds, and z zooms in', async (t) => {
  const page = await soc.opened(t, '/search?last=1h')
  await page.locator('.told b', { hasText: '30 events' }).waitFor()
  const area = await page.locator('.histogram-field').boundingBox()
  assert.ok(area)
  const middle = area.y + area.height / 2
  await page.mouse.move(area.x + area.width * 0.8, middle)
  await page.mouse.down()
  await page.mouse.move(area.x + area.width * 0.9, middle, { steps: 4 })
  await page.mouse.up()
  await page.locator('.drawn').waitFor()
  await page.waitForFunction(
    () => !document.querySelector('.told b')?.textContent?.startsWith('30 '),
  )
  await page.keyboard.press('z')
  await page.waitForURL(/from=.*to=/)
  await page.locator('.pick option', { hasText: 'Drawn range' }).waitFor({ state: 'attached' })
  await page.goBack()
  await page.locator('.told b', { hasText: '30 events' }).waitFor()
})

test('first hour: steps show what is true; the demonstration comes and goes with one click', async (t) => {
  const page = await soc.opened(t, '/start')
  await page.locator('.start-step[data-done=true]', { hasText: 'Connect a source' }).waitFor()
  assert.deepEqual(await findings(page), [])
  await page.locator('button', { hasText: 'Load the demonstration' }).click()
  await page.locator('.start-demo .good', { hasText: '183 events' }).waitFor()
  await page.locator('.mode', { hasText: 'A demonstration is loaded' }).waitFor()

  // What an investigation claims about it opens the event it rests on.
  await goTo(page, '/investigate')
  await page.locator('.top form input').fill('fin-ws-07.demo.invalid')
  await page.getByRole('button', { name: 'Investigate', exact: true }).click()
  await page.locator('.verdict').waitFor()
  await page.locator('.cites a', { hasText: 'event' }).first().click()
  await page.locator('.line-fields').waitFor()
  const cited = new URL(page.url()).searchParams.get('open')
  assert.match(cited ?? '', /^demo-/)
  await goTo(page, '/start')
  await page.locator('.start-demo button', { hasText: 'Remove it' }).click()
  await page.locator('button', { hasText: 'Load the demonstration' }).waitFor()
  await page.locator('.mode').waitFor({ state: 'detached' })
  assert.equal((await soc.call('GET', '/siem/logs?q=labels.demonstration:true&limit=1')).total, 0)

  await page.locator('button', { hasText: 'Do not show this' }).click()
  await page.goto(soc.address)
  await page.locator('.tile').first().waitFor()
  assert.equal(await page.locator('a[href="/start"]').count(), 0)
  await page.keyboard.press('Control+k')
  await page.locator('.palette input').fill('first hour')
  await page.keyboard.press('Enter')
  await page.locator('h1', { hasText: 'First hour' }).waitFor()
})

test('the database is lost and comes back: the page says so, keeps what it read, and goes on by itself', async (t) => {
  const page = await soc.opened(t, '/')
  await page.locator('.tile').first().waitFor()
  soc.freeze()
  t.after(soc.thaw)
  // Somebody goes on working: the first answer that fails says it, not the next look at the mode.
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await page.locator('.mode[data-mode=unavailable]').waitFor()
  await page.locator('.overview .note').waitFor()
  soc.thaw()
  await page.locator('.mode[data-mode=unavailable]').waitFor({ state: 'detached' })
  await page.locator('.tile').first().waitFor()
})

test('an answer that comes late is not shown under another question', async (t) => {
  const page = await soc.opened(t, '/search?source=auth&as=groups&by=user')
  await page.locator('td', { hasText: 'root' }).waitFor()
  // The source of a link is a condition that is seen.
  assert.equal(await page.locator('.search-query input').inputValue(), 'source:auth')
  const held = Promise.withResolvers<void>()
  await page.route('**/siem/aggregate', async (route) => {
    if (route.request().postData()?.includes('"host"')) await held.promise
    await route.continue()
  })
  const by = page.locator('.groups-by select').first()
  await by.selectOption('host')
  await page.locator('td', { hasText: 'root' }).waitFor({ state: 'detached' })
  // A slow store is not left to work on what nobody asks any more.
  const left = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/siem/aggregate'))
  await by.selectOption('user')
  await page.locator('td', { hasText: 'root' }).waitFor()
  await left
  held.resolve()
  await page.locator('.groups-by', { hasText: '1 group' }).waitFor()
  assert.equal(await page.locator('td', { hasText: 'web-1' }).count(), 0)
})

test('live tail: no line is made anew by others, and nothing moves while one is read by keys', async (t) => {
  const page = await soc.opened(t, '/hunts')
  const log = (message: string) =>
    soc.call('POST', '/siem/logs', { events: [{ source: 'tailed', host: 'web-21', message }] })
  const mayOpen = Promise.withResolvers<void>()
  await page.route('**/siem/tail**', async (route) => {
    await mayOpen.promise
    await route.continue()
  })
  await goTo(page, '/search?q=host:web-21&as=tail')
  await page.locator('.tail-state', { hasText: 'being opened' }).waitFor()
  mayOpen.resolve()
  await page.locator('.tail-state', { hasText: 'Live' }).waitFor()
  const line = (text: string) => page.locator('.lines tbody tr', { hasText: text })
  await log('came first')
  await line('came first').evaluate((row) => row.setAttribute('data-same', 'row'))
  await log('came second')
  await line('came second').waitFor()
  assert.equal(await page.locator('tr[data-same]', { hasText: 'came first' }).count(), 1)
  await line('came first').locator('button').focus()
  await page.keyboard.press('Enter')
  await page.locator('.line-open').waitFor()
  await log('came third')
  await page.locator('.tail-state', { hasText: '1 event came meanwhile' }).waitFor()
  assert.equal(await line('came third').count(), 0)
  await page.keyboard.press('Enter')
  await line('came third').waitFor()
})

test('who may only read events is offered no live tail, also not by a link', async (t) => {
  const vera = await soc.person('vera', 'viewer')
  const page = await soc.opened(t, '/search?source=auth&as=tail', vera)
  await page.locator('.lines tbody tr', { hasText: 'Failed password' }).first().waitFor()
  assert.equal(await page.locator('button', { hasText: 'tail' }).count(), 0)
})

test('a tab that nobody sees has no line to the service, and misses nothing', async (t) => {
  const page = await soc.opened(t, '/alerts?status=all')
  await page.locator('.row-alert', { hasText: 'Asked about' }).waitFor()
  // Before its line has spoken there is no event to go on from.
  await page.locator('.link-state[data-state="live"]').waitFor({ state: 'attached' })
  const turn = (value: string) =>
    page.evaluate((state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, value)
  const isLetGo = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/events/stream'))
  await turn('hidden')
  await isLetGo
  await soc.call('POST', '/alerts', { title: 'While away', source: 'test', severity: 'high' })
  const isHeard = page.waitForRequest('**/events/stream')
  await turn('visible')
  assert.match((await isHeard).headers()['last-event-id'] ?? '', /^\d+$/)
  // By its event it is a row, by what is read on coming back it waits behind the pill.
  const row = page.locator('.row-alert', { hasText: 'While away' })
  const pill = page.locator('.fresh')
  await row.or(pill).waitFor()
  if (await pill.isVisible()) await pill.click()
  await row.waitFor()
  // Windows side by side have one line between them, and all hear what happens.
  const isShared = page.context().waitForEvent('requestfailed', (one) => {
    return one.url().endsWith('/events/stream')
  })
  const beside = await page.context().newPage()
  await beside.goto(`${soc.address}/alerts?status=all`)
  await isShared
  await soc.call('POST', '/alerts', { title: 'Told to both', source: 'test', severity: 'high' })
  for (const window of [page, beside]) {
    const told = window.locator('.row-alert', { hasText: 'Told to both' })
    await told.or(window.locator('.fresh')).first().waitFor()
  }
})
