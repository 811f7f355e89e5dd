import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, test } from 'node:test'
import { findings, told } from '@manara/ui/testing/browser'
import type { Locator, Page } from 'playwright-core'
import { type Console, goTo, signIn, startConsole } from '../testing/console.ts'

let soc: Console
before(async (t) => {
  soc = await startConsole(t as never)
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** A page with a comment begun, whose session then ends. */
async function cutShort(page: Page) {
  await page.locator('textarea').fill('half a thought')
  await page.context().clearCookies()
  await button(page, 'Comment').click()
  const dialog = page.getByRole('dialog', { name: 'Your session is over' })
  // Keys pressed sooner were for the page.
  await dialog.locator('form[aria-busy=false]').waitFor()
  return dialog
}

const openCase = (title: string) => soc.call('POST', '/cases', { title, severity: 'low' })

test('who signs in again goes on where the session ended', async (t) => {
  const found = await openCase('Long to write')
  const layla = await soc.person('layla', 'analyst')
  const page = await soc.opened(t, `/cases/${found.id}`, layla)
  const dialog = await cutShort(page)
  assert.deepEqual(await findings(page), [])
  await page.keyboard.press('Escape')
  await dialog.getByLabel('Password').fill('not hers')
  await dialog.getByLabel('Password').press('Enter')
  await dialog.getByRole('alert').getByText('wrong', { exact: false }).waitFor()
  assert.equal(await page.locator('textarea').inputValue(), 'half a thought')
  await dialog.getByLabel('Password').fill(layla.password)
  await dialog.getByLabel('Password').press('Enter')
  await dialog.waitFor({ state: 'detached' })
  // What was refused is sent now, once.
  await page.locator('.comments', { hasText: 'half a thought' }).waitFor()
  const { comments } = await soc.call('GET', `/cases/${found.id}`)
  assert.deepEqual(
    comments.map(({ author, body }: { author: string; body: string }) => [author, body]),
    [['layla', 'half a thought']],
  )
  // And the page is live again.
  await soc.call('PATCH', `/cases/${found.id}`, { title: 'Renamed meanwhile' })
  await page.locator('h2', { hasText: 'Renamed meanwhile' }).waitFor()
})

test('who types when the session ends types on, and nothing of it becomes a password', async (t) => {
  const found = await openCase('Typed blindly')
  const page = await soc.opened(t, `/cases/${found.id}`)
  const field = page.locator('textarea')
  await field.pressSequentially('It began')
  // What a key of the page is pressed for when the question comes up.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const password = document.querySelector('dialog input[type=password]')
      if (!password) return
      observer.disconnect()
      const press = new KeyboardEvent('keydown', { key: 'j', bubbles: true, cancelable: true })
      password.dispatchEvent(press)
      document.body.dataset.late = `${press.defaultPrevented}`
    }).observe(document.body, { childList: true, subtree: true })
    // However slowly the keys of this test come, nobody pauses before the last of them.
    const typing = setInterval(() => {
      if (document.body.dataset.isTyped) clearInterval(typing)
      else document.activeElement?.dispatchEvent(new Event('input', { bubbles: true }))
    }, 100)
  })
  await page.context().clearCookies()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  const said = page.locator('.mode', { hasText: 'Your session is over' })
  let typed = 'It began'
  while (!(await said.isVisible())) {
    await page.keyboard.type(' and')
    typed += ' and'
  }
  await page.keyboard.type(' went on')
  await page.evaluate(() => {
    document.body.dataset.isTyped = 'yes'
  })
  const dialog = page.getByRole('dialog', { name: 'Your session is over' })
  await dialog.waitFor()
  assert.equal(await dialog.getByLabel('Password').inputValue(), '')
  assert.equal(await page.locator('body').getAttribute('data-late'), 'true')
  // Nor does anything of the page come in front of it.
  await page.keyboard.press('Control+k')
  assert.equal(await page.locator('.palette').count(), 0)
  await dialog.getByLabel('Password').fill(soc.admin.password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await field.inputValue(), `${typed} went on`)
})

test('who signs in with a browser that lacks what is new comes to what was wanted', async (t) => {
  const page = await soc.opened(t, '/hunts')
  await page.context().clearCookies()
  await page.addInitScript(() => Reflect.deleteProperty(URL, 'parse'))
  await page.goto(`${soc.address}/sign-in/?next=%2Freports`)
  await page.locator('input[name=username]:focus').waitFor()
  await signIn(page, soc.admin)
  assert.equal(new URL(page.url()).pathname, '/reports')
  // And one whose service is away is told so, not shown nothing.
  await page.route('**/auth/ways', (route) => route.abort('connectionrefused'))
  await page.goto(`${soc.address}/sign-in/`)
  await page.getByRole('alert').getByText('The service does not answer').waitFor()
})

test('signed in again in another tab is signed in here', async (t) => {
  const found = await openCase('In two tabs')
  const page = await soc.opened(t, `/cases/${found.id}`)
  const dialog = await cutShort(page)
  await signInElsewhere(page, soc.admin)
  await dialog.waitFor({ state: 'detached' })
  await page.locator('.comments', { hasText: 'half a thought' }).waitFor()
})

test('another person who signs in finds nothing of the first', async (t) => {
  const found = await openCase('Not for others')
  const huda = await soc.person('huda', 'analyst')
  const page = await soc.opened(t, `/cases/${found.id}`)
  const dialog = await cutShort(page)
  await signInElsewhere(page, huda)
  await dialog.waitFor({ state: 'detached' })
  await page.locator('.rail').waitFor()
  assert.equal(new URL(page.url()).pathname, '/')
  assert.ok(!(await page.content()).includes('half a thought'))
  const { comments } = await soc.call('GET', `/cases/${found.id}`)
  assert.deepEqual(comments, [])
})

/** In another tab of the same browser; then this one is looked at again. */
async function signInElsewhere(page: Page, who: { username: string; password: string }) {
  const tab = await page.context().newPage()
  await tab.goto(`${soc.address}/sign-in/`)
  await tab.fill('input[name=username]', who.username)
  await tab.fill('input[name=password]', who.password)
  // As a password manager sends it, without the button.
  await tab.evaluate(() => document.querySelector('form')?.requestSubmit())
  await tab.locator('.rail').waitFor()
  await tab.close()
  await page.evaluate(() => dispatchEvent(new Event('focus')))
}

test('what goes wrong in a dialog is said in front of it', async (t) => {
  const page = await soc.opened(t, '/intel')
  await button(page, 'Add an indicator').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Value').fill('203.0.113.7')
  await dialog.getByLabel('Score').fill('700')
  const said = dialog.getByRole('alert')
  const beRefused = async () => {
    const refused = page.waitForResponse((reply) => reply.status() === 400)
    await dialog.getByLabel('Score').press('Enter')
    await refused
    await said.getByText('score', { exact: false }).waitFor()
  }
  await beRefused()
  assert.deepEqual(await findings(page), [])
  // It stays for some seconds, and to look through a page may take longer.
  await beRefused()
  // It is what lies on top at its place, and can be closed.
  assert.equal(
    await said.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    }),
    true,
  )
  await said.getByRole('button', { name: 'Close' }).click()
  await said.waitFor({ state: 'detached' })
  // Nor does it close under who selects a text and lets go beside it.
  await selectOutOf(page, dialog.getByLabel('Value'))
  // Nor under who misses it, with what was typed.
  await page.mouse.click(4, 4)
  await dialog.getByLabel('Score').fill('70')
  await dialog.getByLabel('Score').press('Enter')
  await told(page, 'Indicator added')
})

/** With the pointer, from the end of a field to the edge of the page. */
async function selectOutOf(page: Page, field: Locator) {
  const { x, y, width, height } = (await field.boundingBox()) ?? assert.fail()
  await page.mouse.move(x + width - 8, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(4, y + height / 2, { steps: 4 })
  await page.mouse.up()
}

test('a hunt is deleted after it was asked whether it should be', async (t) => {
  const hunt = await soc.call('POST', '/siem/hunts', { title: 'Keep me', query: 'host:web-1' })
  const page = await soc.opened(t, `/hunts?open=${hunt.id}`)
  await button(page, 'Delete').click()
  const dialog = page.getByRole('dialog', { name: 'Delete the hunt Keep me?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await soc.call('GET', `/siem/hunts/${hunt.id}`)).title, 'Keep me')
  await button(page, 'Delete').click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await told(page, 'Hunt deleted')
  await page.locator('tbody tr', { hasText: 'Keep me' }).waitFor({ state: 'detached' })
})

test('a title in Arabic runs from its own side', async (t) => {
  const title = 'محاولة دخول من 203.0.113.9!'
  await soc.call('POST', '/alerts', { title, source: 'جدار', severity: 'high', host: 'web-1' })
  const page = await soc.opened(t, '/alerts')
  const row = page.locator('.row-alert', { hasText: title })
  await row.waitFor()
  const sides = await row
    .getByText(/محاولة|جدار/)
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).direction))
  assert.deepEqual(sides, ['rtl', 'rtl'])
})

test('charts of a report are drawn, and none of its markup is of the page', async (t) => {
  await soc.call('POST', '/alerts', {
    ...{ title: '<svg onload="evil()">_x_ | y', source: 'test', severity: 'critical' },
    host: 'web-1',
  })
  const { id } = await soc.call('POST', '/reports', {
    ...{ report_type: 'executive', format: 'markdown' },
  })
  const page = await soc.opened(t, `/reports/${id}`)
  const charts = page.locator('.report img')
  await charts.first().waitFor()
  const drawn = await charts.evaluateAll(async (all) => {
    await Promise.all(all.map((one) => (one as HTMLImageElement).decode()))
    return all.map((one) => [(one as HTMLImageElement).naturalWidth > 0, one.getAttribute('alt')])
  })
  assert.ok(drawn.length > 0)
  for (const [isDrawn, name] of drawn) {
    assert.equal(isDrawn, true)
    assert.match(String(name), /\w/)
  }
  assert.equal(await page.locator('.report svg').count(), 0)
  const text = (await page.locator('.report').textContent()) ?? ''
  assert.doesNotMatch(text, /<svg xmlns|&lt;|\\_|\| ---/)
  assert.deepEqual(await findings(page), [])
})

test('a case of much evidence shows the latest of it, finds the rest, and keeps a note that was begun', async (t) => {
  const { id } = await openCase('Much to prove')
  for (let n = 0; n < 52; n += 1) {
    const name = n === 51 ? 'invoice\u202egpj.exe' : `piece ${n}`
    const sha256 = n.toString(16).padStart(64, '0')
    await soc.call('POST', `/cases/${id}/evidence`, { name, evidence_type: 'file', sha256 })
  }
  const page = await soc.opened(t, `/cases/${id}`)
  // No file passes for another.
  await page.locator('.evidence', { hasText: 'invoice[U+202E]gpj.exe' }).waitFor()
  assert.equal(await page.locator('.evidence > li').count(), 50)
  // Nor do thousands come at once: the count is of all, what is found too.
  await page.locator('h3', { hasText: /^Evidence 52$/ }).waitFor()
  await page.getByLabel('Find by name').fill('PIECE 1')
  await page.keyboard.press('Enter')
  await page.locator('.case-side', { hasText: '11 pieces found, 11 shown' }).waitFor()
  assert.equal(await page.locator('.evidence > li').count(), 11)
  await page.getByLabel('Find by name').fill('')
  await page.getByLabel('Comment', { exact: true }).fill('Half said')
  const side = page.locator('.case-side button', { hasText: 'Show 2 of 2 earlier' })
  await side.click()
  await side.waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.querySelectorAll('.evidence > li').length === 52)
  assert.equal(await page.locator('.timeline > li').count(), 50)
  assert.equal(await page.getByLabel('Comment', { exact: true }).inputValue(), 'Half said')
  await page.getByLabel('Comment', { exact: true }).fill('')

  const begin = async () => {
    await page.locator('main').focus()
    await page.keyboard.press('e')
    await page.getByRole('dialog').waitFor()
  }
  const note = page.getByRole('dialog').locator('textarea')
  await begin()
  await page.locator('dialog label', { hasText: 'Note' }).first().click()
  await note.fill('Seen on the desk')
  await page.keyboard.press('Escape')
  await begin()
  assert.equal(await note.inputValue(), 'Seen on the desk')
  await button(page, 'Cancel').click()
  await begin()
  assert.equal(await note.count(), 0)
})

test('evidence has the name and the hash of the file that was chosen last', async (t) => {
  const { id } = await openCase('Chosen twice')
  const page = await soc.opened(t, `/cases/${id}`)
  await page.locator('.case-head').waitFor()
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog')
  const choose = async (name: string) => {
    const buffer = Buffer.from(name)
    await dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer })
    const hash = createHash('sha256').update(buffer).digest('hex')
    await page.waitForFunction(
      (value) =>
        [...document.querySelectorAll<HTMLInputElement>('dialog input')].some(
          (one) => one.value === value,
        ),
      hash,
    )
  }
  await choose('first.img')
  await choose('second.img')
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'second.img')
  await dialog.getByLabel('Name').fill('The disk')
  await choose('third.img')
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'The disk')
})

test('a part that breaks leaves the rest of the console', async (t) => {
  const page = await soc.opened(t, '/reports')
  await page.evaluate(() => Object.assign(window, { reportError: () => {} }))
  await page.route('**/siem/hunts?*', (route) => route.fulfill({ json: { items: [{}], total: 1 } }))
  await page.locator('.rail a[href="/hunts"]').click()
  await page.locator('.failed', { hasText: 'broke' }).waitFor()
  await goTo(page, '/reports')
  await page.locator('h1', { hasText: 'Reports' }).waitFor()
  // So is an answer whose citation is none.
  const answer = 'event: token\ndata: {"content":"[it](/api/v1/alerts/%E0)"}\n\n'
  await page.route('**/chat/stream', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: answer }),
  )
  await page.keyboard.press('Control+j')
  await page.locator('.dock textarea').fill('what is it?')
  await page.keyboard.press('Enter')
  await page.locator('.turn-answer a', { hasText: 'it' }).waitFor()
})
