import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { told } from '@manara/ui/testing/browser'
import type { Page } from 'playwright-core'
import { type Console, crowd, goTo, startConsole } from '../testing/console.ts'

let soc: Console
before(async (t) => {
  soc = await startConsole(t as never)
})

/** A screen of 1280 by 900 points, enlarged to 400 %. */
const ENLARGED = { viewport: { width: 320, height: 225 } }

/** Parts of the page that scroll up and down by themselves, and what is wider than the screen. */
const inTheWay = (page: Page) =>
  page.evaluate(() => [
    ...[...document.querySelectorAll('.console, .console *')]
      .filter(
        (one) =>
          one.clientHeight > 0 &&
          one.scrollHeight > one.clientHeight + 2 &&
          /auto|scroll|hidden/.test(getComputedStyle(one).overflowY) &&
          one.matches('.console, main, main *:not(.long-list):has(a, button, td)'),
      )
      .map((one) => `${one.tagName}.${one.className}`),
    ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the screen'] : []),
  ])

const ask = (title: string, more: object = {}) =>
  soc.call('POST', '/soar/playbooks', {
    ...{ name: title, is_critical: true },
    parameters: { note: { type: 'string', default: 'as before' } },
    steps: [{ id: 'open', action: 'create_case', params: { title, description: '' } }],
    ...more,
  })

test('enlarged fourfold, a page is read by scrolling it as a whole', async (t) => {
  const { id } = await soc.call('POST', '/cases', { title: 'Read from afar', severity: 'low' })
  const playbook = await ask('Read from afar')
  await soc.call('POST', `/soar/playbooks/${playbook.id}/execute`, {})
  const events = [{ source: 'afar', host: 'web-1', message: 'seen' }]
  await soc.call('POST', '/siem/logs', { events })
  const page = await soc.opened(t, '/', soc.admin, ENLARGED)
  const found: Record<string, string[]> = {}
  for (const path of [
    ...['/', '/alerts', `/cases/${id}`, '/search', '/search?as=groups&by=host', '/rules'],
    ...['/response/approvals', `/response/playbooks?open=${playbook.id}`, '/response/endpoints'],
    ...['/devices', '/intel', '/admin', '/admin/users', '/admin/parsers', '/admin/audit'],
  ]) {
    await goTo(page, path)
    const some = await inTheWay(page)
    if (some.length > 0) found[path] = some
  }
  assert.deepEqual(found, {})
})

test('all of a case is printed, not what is in sight, and on white paper', async (t) => {
  const { id } = await soc.call('POST', '/cases', { title: 'For the file', severity: 'low' })
  for (let n = 0; n < 20; n += 1) {
    await soc.call('POST', `/cases/${id}/comments`, { body: `Comment ${n}\n\nmore of it` })
  }
  const page = await soc.opened(t, `/cases/${id}`)
  await page.locator('.comments', { hasText: 'Comment 19' }).waitFor()
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
  assert.ok((pdf.match(/\/Type\s*\/Page\b/g) ?? []).length > 1)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color)
  const printed = await ink()
  await page.emulateMedia({ media: 'print', colorScheme: 'light' })
  assert.equal(printed, await ink())
})

test('a link to a part that the role does not see says so', async (t) => {
  const rule = await soc.call('POST', '/detections/rules', {
    ...{ name: 'Looked at', query: 'host:web-1', alert_severity: 'low' },
  })
  const lina = await soc.person('lina', 'viewer')
  const page = await soc.opened(t, '/response/approvals', lina)
  const note = page.getByText('your role (viewer) does not see it')
  await note.waitFor()
  await page.locator('.tabs [aria-current]', { hasText: 'Playbooks' }).waitFor()
  for (const path of ['/admin/users', '/devices/toString', '/response/toString', '/agents/no']) {
    await goTo(page, path)
    await note.waitFor()
  }
  for (const path of [
    ...['/response/playbooks', '/response', '/admin', '/admin/sources', '/admin/parsers/new'],
    ...[
      '/devices',
      '/devices/firmware',
      '/agents/findings',
      `/rules/${rule.id}`,
      '/rules/coverage',
    ],
  ]) {
    await goTo(page, path)
    assert.equal(await note.count(), 0, path)
  }
})

test('an approver sees what is empty too, and that the same waits twice', async (t) => {
  const playbook = await ask('Asked twice')
  for (const name of ['omar', 'zayd']) {
    const { username, password } = await soc.person(name, 'responder')
    const signedIn = await fetch(`${soc.address}/api/v1/auth/token`, {
      ...{ method: 'POST', body: new URLSearchParams({ username, password }) },
    })
    const { access_token } = (await signedIn.json()) as { access_token: string }
    const reply = await fetch(`${soc.address}/api/v1/soar/playbooks/${playbook.id}/execute`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ parameters: { note: '' } }),
    })
    assert.equal(reply.status, 200, await reply.text())
  }
  const page = await soc.opened(t, '/response/approvals')
  const first = page.locator('.approval', { hasText: 'omar asks' })
  await first.getByText('Exactly the same was asked for', { exact: false }).waitFor()
  await first.getByText('asked by zayd', { exact: false }).waitFor()
  const facts = await first.locator('.exactly .values').allInnerTexts()
  assert.match(facts[0] ?? '', /note\s+an empty text/)
  assert.match(facts[1] ?? '', /description\s+an empty text/)
  await first.getByRole('button', { name: 'Reject' }).click()
  await told(page, 'Rejected')
  const other = page.locator('.approval', { hasText: 'zayd asks' })
  await other.getByText('Exactly the same').waitFor({ state: 'detached' })
})

test('three windows follow the logs; a fourth waits, says why, and leaves lines for the rest', async (t) => {
  const page = await soc.opened(t, '/search?as=tail')
  const state = (one: Page, text: string) => one.locator('.tail-state', { hasText: text }).waitFor()
  await state(page, 'Live')
  const others: Page[] = []
  for (let n = 0; n < 5; n += 1) {
    const other = await page.context().newPage()
    await other.goto(`${soc.address}/search?as=tail`)
    await state(other, n < 2 ? 'Live' : 'Three other windows')
    others.push(other)
  }
  // All of them can still ask for something.
  for (const one of [page, ...others]) {
    await goTo(one, '/hunts')
    await goTo(one, '/search?as=tail')
  }
  await state(page, 'Live')
})

test('what is typed while a comment is on its way is not lost', async (t) => {
  const { id } = await soc.call('POST', '/cases', { title: 'Slowly sent', severity: 'low' })
  const page = await soc.opened(t, `/cases/${id}`)
  const isTyped = Promise.withResolvers<void>()
  await page.route('**/comments', async (route) => {
    await isTyped.promise
    await route.continue()
  })
  const field = page.locator('textarea')
  await field.fill('The first.')
  const isSent = page.waitForRequest('**/comments')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await isSent
  await field.press('End')
  await field.pressSequentially(' The second.')
  isTyped.resolve()
  await page.locator('.comments', { hasText: 'The first.' }).waitFor()
  assert.equal(await field.inputValue(), 'The second.')
})

test('of the queue all that is loaded is printed, below each other, and how many that is', async (t) => {
  await crowd(250, (n) =>
    soc.call('POST', '/alerts', { title: `Printed ${n}`, source: 'paper', severity: 'low' }),
  )
  const page = await soc.opened(t, '/alerts?source=paper')
  await page.locator('.row-alert', { hasText: 'Printed' }).first().waitFor()
  const drawn = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.row-alert[data-index]')].map((row) =>
        Number((row as HTMLElement).dataset.index),
      ),
    )
  const inSight = (await drawn()).length
  assert.ok(inSight < 200, `${inSight}`)
  const list = page.locator('.long-list')
  await list.evaluate((element) => element.scrollTo(0, 1_800))
  await page.locator('.row-alert[data-index="60"]').waitFor()
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMedia({ media: 'print' })
  assert.deepEqual(
    await drawn(),
    Array.from({ length: 200 }, (_, n) => n),
  )
  await page.getByText('On this paper are the alerts 1 to 200 of 250.').waitFor()
  const tops = await page
    .locator('.row-alert[data-index]')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top))
  assert.ok(tops.every((top, at) => at === 0 || top > (tops[at - 1] ?? 0)))
  await page.emulateMedia({ media: null })
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  const isAsBefore = () =>
    page.waitForFunction(
      (rows) => document.querySelectorAll('.row-alert[data-index]').length === rows,
      inSight,
    )
  await isAsBefore()
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
  assert.ok((pdf.match(/\/Type\s*\/Page\b/g) ?? []).length > 4)
  // And it is where it was.
  await isAsBefore()
  await page.locator('.row-alert[data-index="60"]').waitFor()
  await page.waitForFunction(() => document.querySelector('.long-list')?.scrollTop === 1_800)
})

test('signs that turn a text around are seen wherever it is shown', async (t) => {
  const turned = 'open \u202egpj.exe'
  const hunt = await soc.call('POST', '/siem/hunts', { title: turned, query: `"${turned}"` })
  const page = await soc.opened(t, `/hunts?open=${hunt.id}`)
  await page.locator('.panel h2', { hasText: 'open [U+202E]gpj.exe' }).waitFor()
  assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /\u202e/)
  // What one types oneself is repeated sign for sign, below the caret.
  await goTo(page, `/search?q=${encodeURIComponent(turned)}`)
  assert.equal(await page.locator('.query-mirror').textContent(), turned)
})

test('what is wrong with a rule is said once, at what it is about', async (t) => {
  const page = await soc.opened(t, '/rules/new?query=host:web-1')
  const said = page.locator('.editor-form [role=alert]')
  await page.getByRole('button', { name: 'Save' }).click()
  await said.waitFor()
  assert.equal(await said.count(), 1)
  assert.equal(await page.getByLabel('Name').getAttribute('aria-invalid'), 'true')
  await page.getByLabel('Name').fill('Named')
  await page.locator('.editor textarea').fill('host:(')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.editor textarea[aria-invalid=true]').waitFor()
  assert.equal(await said.count(), 1)
})

test('what is offered while one types does not lie over what was found since', async (t) => {
  await soc.call('POST', '/siem/logs', {
    events: [{ source: 'offered', host: 'web-77', message: 'x' }],
  })
  const page = await soc.opened(t, '/search')
  const isRun = Promise.withResolvers<void>()
  await page.route('**/siem/fields/host/values*', async (route) => {
    await isRun.promise
    await route.continue()
  })
  const isAsked = page.waitForRequest('**/siem/fields/host/values*')
  const isAnswered = page.waitForResponse('**/siem/fields/host/values*')
  await page.locator('.search-query input').pressSequentially('host:web-7')
  await isAsked
  await page.keyboard.press('Enter')
  await page.waitForURL(/q=host/)
  isRun.resolve()
  await isAnswered
  await page.locator('.told b').waitFor()
  assert.equal(await page.locator('.suggestions [role=option]').count(), 0)
})

test('no short word of a table is broken beside an open panel, and no page moves sideways', async (t) => {
  const ioc = await soc.call('POST', '/iocs', {
    value: `https://a.example/${'b'.repeat(300)}`,
    ...{ sources: ['feeds.threat-exchange.example', 'a-colleague'], tlp: 'amber' },
  })
  const hash = await soc.call('POST', '/iocs', { value: 'ab'.repeat(32) })
  const report = await soc.call('POST', '/reports', { report_type: 'executive' })
  const hunt = await soc.call('POST', '/siem/hunts', { title: 'Of a long name', query: 'x' })
  const device = await soc.call('POST', '/cps/devices', { name: 'pump-one', device_type: 'plc' })
  const page = await soc.opened(t, '/intel')
  for (const width of [1280, 1024, 360]) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of [
      ...[`/intel?open=${ioc.id}`, `/intel?open=${hash.id}`, `/reports?open=${report.id}`],
      ...[`/hunts?open=${hunt.id}`, `/devices?open=${device.id}`, '/intel', '/admin/users'],
    ]) {
      await goTo(page, path)
      const broken = await page.locator('.table td').evaluateAll((cells) =>
        cells.flatMap((cell) => {
          const found: string[] = []
          const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
          while (texts.nextNode()) {
            const node = texts.currentNode
            for (const { index, 0: word } of (node.nodeValue ?? '').matchAll(/[\w:]{2,20}/g)) {
              const range = document.createRange()
              range.setStart(node, index)
              range.setEnd(node, index + word.length)
              const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
              if (lines.size > 1) found.push(word)
            }
          }
          return found
        }),
      )
      // Parts of a long one may be.
      const short = broken.filter((word) => !/^(b|ab)+$/.test(word))
      assert.deepEqual([width, path, short], [width, path, []])
      const wide = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement
        return scrollWidth - clientWidth
      })
      assert.equal(wide, 0, `${width} ${path}`)
    }
  }
})
