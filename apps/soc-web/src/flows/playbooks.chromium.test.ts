import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { findings, told } from '@manara/ui/testing/browser'
import type { Page } from 'playwright-core'
import { type Console, crowd, goTo, startConsole } from '../testing/console.ts'

let soc: Console
before(async (t) => {
  soc = await startConsole(t as never)
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const write = (name: string, is_critical: boolean) =>
  soc.call('POST', '/soar/playbooks', {
    ...{ name, is_critical },
    parameters: {
      host: { type: 'string', required: true, description: 'Name of the machine' },
      days: { type: 'number', default: 7 },
      urgent: { type: 'boolean' },
      level: { type: 'enum', values: ['low', 'high'], required: true },
      note: { type: 'string' },
    },
    steps: [
      {
        ...{ id: 'open', action: 'create_case', when: 'params.days > 1' },
        params: { title: 'About {{ params.host }}', severity: '{{ params.level }}' },
      },
    ],
  })

const executionsOf = async (id: string) =>
  (await soc.call('GET', `/soar/executions?playbook_id=${id}`)).items

test('a playbook is rehearsed and run with the parameters that it declares', async (t) => {
  const playbook = await write('Open a case about', false)
  const page = await soc.opened(t, `/response/playbooks?open=${playbook.id}`)
  await button(page, 'Run').click()
  const dialog = page.getByRole('dialog')
  // What is required is asked for before anything is sent.
  await dialog.getByText('Name of the machine').waitFor()
  const send = dialog.getByRole('button', { name: 'Run', exact: true })
  assert.equal(await send.isDisabled(), true)
  assert.equal(await dialog.getByLabel('days').inputValue(), '7')
  await dialog.getByLabel('host').fill('web-9')
  await dialog.getByLabel('level').selectOption('high')
  await dialog.getByLabel('days').fill('a week')
  await dialog.getByText('a number', { exact: false }).waitFor()
  assert.equal(await send.isDisabled(), true)
  await dialog.getByLabel('days').fill('2.5')
  await dialog.getByLabel('urgent').selectOption('no')
  assert.deepEqual(await findings(page), [])
  await dialog.getByLabel('host').press('Enter')
  await told(page, 'It runs')
  await dialog.waitFor({ state: 'detached' })
  const [run] = await executionsOf(playbook.id)
  assert.deepEqual(run.parameters, { host: 'web-9', days: 2.5, urgent: false, level: 'high' })
  assert.equal(run.dry_run, false)

  await button(page, 'Rehearse').click()
  await dialog.getByLabel('host').fill('web-10')
  await dialog.getByLabel('level').selectOption('low')
  await dialog.getByRole('button', { name: 'Rehearse' }).click()
  await told(page, 'Rehearsal began')
  await dialog.waitFor({ state: 'detached' })
  const [rehearsal] = await executionsOf(playbook.id)
  assert.equal(rehearsal.dry_run, true)
  assert.deepEqual(rehearsal.parameters, { host: 'web-10', days: 7, level: 'low' })

  // In a dry run it is kept as well, and called a preview.
  await page.route('**/execute', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), preview: true } })
  })
  await button(page, 'Rehearse').click()
  await dialog.getByLabel('host').fill('web-11')
  await dialog.getByLabel('level').selectOption('low')
  await dialog.getByRole('button', { name: 'Rehearse' }).click()
  await dialog.waitFor({ state: 'detached' })
  const begun = await told(page, 'Rehearsal began')
  await begun.press('Show it')
  await page.locator('.panel h2', { hasText: 'Open a case about' }).waitFor()
})

test('what a critical one was approved with is what its requester then runs', async (t) => {
  const playbook = await write('Cut off', true)
  const rana = await soc.person('rana', 'responder')
  const page = await soc.opened(t, `/response/playbooks?open=${playbook.id}`, rana)
  await button(page, 'Run').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('A second person has to approve', { exact: false }).waitFor()
  await dialog.getByLabel('host').fill('db-4')
  await dialog.getByLabel('level').selectOption('high')
  await button(page, 'Ask for approval').click()
  const asked = page.locator('.asked li')
  await asked.getByText('db-4').waitFor()
  await asked.getByText('waits', { exact: true }).waitFor()
  assert.deepEqual(await executionsOf(playbook.id), [])
  // Nobody has decided: it is said, and nothing is run.
  await asked.getByRole('button', { name: 'Run what was approved' }).click()
  await told(page, 'Nobody has decided yet')

  const admin = await soc.opened(t, '/response/approvals')
  const approval = admin.locator('.approval', { hasText: 'Cut off' })
  const exactly = approval.locator('.exactly')
  for (const shown of ['db-4', 'About db-4', 'params.days > 1', '7']) {
    await exactly.getByText(shown, { exact: true }).first().waitFor()
  }
  await approval.getByRole('button', { name: 'Approve' }).click()
  await told(admin, 'rana can run it now')

  // Also after the page was loaded anew.
  await page.reload()
  await asked.getByText('approved', { exact: true }).waitFor()
  await asked.getByRole('button', { name: 'Run what was approved' }).click()
  await told(page, 'It runs')
  await asked.waitFor({ state: 'detached' })
  const [run, ...others] = await executionsOf(playbook.id)
  assert.deepEqual(run.parameters, { host: 'db-4', days: 7, level: 'high' })
  assert.equal((await soc.call('GET', `/approvals/${run.approval_id}`)).status, 'consumed')
  assert.deepEqual(others, [])
})

test('a playbook is run for an alert that is found among many', async (t) => {
  const raise = (title: string) =>
    soc.call('POST', '/alerts', { title, source: 'test', severity: 'low', host: 'old-1' })
  const { id } = await raise('The very first')
  await crowd(51, (n) => raise(`Later ${n}`))
  const playbook = await write('For an old alert', false)
  const page = await soc.opened(t, `/response/playbooks?open=${playbook.id}`)
  await button(page, 'Run').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('host').fill('old-1')
  await dialog.getByLabel('level').selectOption('low')
  await dialog.getByLabel('Find another: For the alert').fill('very first')
  // Enter finds: nothing is run by it.
  await page.keyboard.press('Enter')
  const choice = dialog.locator('option', { hasText: /^The very first · old-1 · / })
  await choice.waitFor({ state: 'attached' })
  assert.deepEqual(await executionsOf(playbook.id), [])
  await dialog.getByLabel('For the alert', { exact: true }).selectOption(id)
  await dialog.getByLabel('Find another: For the alert').fill('')
  await page.keyboard.press('Enter')
  await dialog.locator('option', { hasText: 'Later 50' }).waitFor({ state: 'attached' })
  await dialog.getByRole('button', { name: 'Run', exact: true }).click()
  await told(page, 'It runs')
  const [run] = await executionsOf(playbook.id)
  assert.equal(run.alert_id, id)
})

test('who may read approvals sees what became of theirs, and another person does not', async (t) => {
  const playbook = await write('Close the gate', true)
  const noor = await soc.person('noor', 'manager')
  const sami = await soc.person('sami', 'responder')
  const page = await soc.opened(t, `/response/playbooks?open=${playbook.id}`, noor)
  await button(page, 'Run').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('host').fill('gate-1')
  await dialog.getByLabel('level').selectOption('low')
  await button(page, 'Ask for approval').click()
  const asked = page.locator('.asked li', { hasText: 'gate-1' })
  await asked.getByText('waits').waitFor()
  assert.equal(await asked.getByRole('button').count(), 0)
  await asked.getByRole('link', { name: 'The approval' }).click()
  await page.locator('.approval[data-open=true]', { hasText: 'Close the gate' }).waitFor()
  const { items } = await soc.call('GET', `/approvals?playbook_id=${playbook.id}`)
  await soc.call('POST', `/approvals/${items[0].id}/decide`, { approved: true })
  // It is decided: what is open stays, with what became of it.
  await page.locator('.approval[data-open=true]', { hasText: 'approved' }).waitFor()
  await button(page, 'Run what was approved').click()
  await told(page, 'It runs')
  const [run] = await executionsOf(playbook.id)
  assert.deepEqual(run.parameters, { host: 'gate-1', days: 7, level: 'low' })

  const other = await soc.opened(t, `/response/playbooks?open=${playbook.id}`, sami)
  await other.locator('.panel .steps').waitFor()
  assert.equal(await other.locator('.asked').count(), 0)
})

test('who posted the alert that made the service ask is told that somebody else decides', async (t) => {
  const trigger = { on: 'alert.created', when: "alert.title == 'Gate forced'" }
  const steps = [{ id: 'rest', action: 'wait', params: { seconds: 1 } }]
  const asking = { name: 'Shut the gate', is_critical: true, trigger, steps }
  await soc.call('POST', '/soar/playbooks', asking)
  const tala = await soc.person('tala', 'manager')
  await soc.call('POST', '/alerts', { title: 'Gate forced', source: 'test', severity: 'high' })
  const page = await soc.opened(t, '/response/approvals')
  const approval = (of: Page) => of.locator('.approval', { hasText: 'Shut the gate' })
  await approval(page).locator('.exactly').waitFor()
  assert.equal(
    await approval(page)
      .getByRole('button', { name: /Approve|Reject/ })
      .count(),
    0,
  )
  await approval(page).getByText('Somebody else has to decide: who posted the alert').waitFor()
  const hers = await soc.opened(t, '/response/approvals', tala)
  await approval(hers).getByRole('button', { name: 'Approve' }).waitFor()
})

test('who may not decide approvals is not sent to them', async (t) => {
  const lee = await soc.person('lee', 'viewer')
  const page = await soc.opened(t, '/', lee)
  await page.locator('.tile').first().waitFor()
  assert.equal(await page.locator('a[href="/response/approvals"]').count(), 0)
  await goTo(page, '/response/approvals')
  await page.locator('.tabs [aria-current]', { hasText: 'Playbooks' }).waitFor()
  assert.equal(await page.locator('.failed').count(), 0)
})

test('a machine is found by its name, and a receipt says what became of it, or why not', async (t) => {
  const events = ['desk-1', 'desk-2'].map((host) => ({ source: 'auth', host, message: 'hello' }))
  await soc.call('POST', '/siem/logs', { events })
  const page = await soc.opened(t, '/hunts')
  const receipt = { requested_by: 'kim', created_at: new Date().toISOString() }
  const items = [
    { ...receipt, action_id: '1', command: 'isolate', status: 'failed', detail: 'agent is away' },
    { ...receipt, action_id: '2', command: 'scan', status: 'completed', simulated: true },
  ]
  await page.route('**/actions?*', (route) => route.fulfill({ json: { items, total: 2 } }))
  const machine = (name: string) => page.locator('tbody tr', { hasText: name })
  await goTo(page, '/response/endpoints')
  await machine('desk-1').waitFor()
  await page.getByLabel('Find a machine').fill('desk-2')
  await page.keyboard.press('Enter')
  await machine('desk-1').waitFor({ state: 'detached' })
  await machine('desk-2').locator('.table-open').click()
  await page.locator('.receipts li', { hasText: 'agent is away' }).waitFor()
  await page.locator('.receipts li', { hasText: 'simulated' }).waitFor()
  // Nothing is connected here that could do it.
  await button(page, 'Scan').click()
  await told(page, 'no EDR is connected')
})
