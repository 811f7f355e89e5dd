import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { findings, visit } from '@manara/ui/testing/browser'
import { type Console, signIn, startConsole } from '../testing/console.ts'

const DESK = { viewport: { width: 1440, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 } }

let soc: Console
let alert: { id: string }
before(async (t) => {
  soc = await startConsole(t as never)
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

const opened = async (t: Parameters<typeof visit>[0], path: string, how = DESK) => {
  const page = await visit(t, `${soc.address}${path}`, how)
  await signIn(page, soc.admin)
  return page
}

test('chat: asked beside the page about what is open, a citation opens the event, Escape leaves', async (t) => {
  const page = await opened(t, `/alerts?open=${alert.id}`)
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
  const page = await opened(t, `/alerts?open=${alert.id}`)
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
  const page = await opened(t, '/alerts', PHONE)
  await page.locator('.rail-chat').click()
  await page.locator('.dock-examples button', { hasText: 'Show new alerts' }).click()
  await page.locator('.turn-answer a', { hasText: 'Asked about' }).waitFor()
  const dock = await page.locator('.dock').boundingBox()
  assert.ok(dock && dock.x === 0 && dock.width === 390 && dock.y > 100)
})
